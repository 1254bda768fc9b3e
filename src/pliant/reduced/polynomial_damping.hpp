// SPDX-License-Identifier: MIT
// The matrix D(q) of strain-rate damping (damping_polynomial.hpp), for the 1 kHz step. D2 is a
// symmetric matrix over pairs, so its lower triangle is stored, in panels of rows, and each number
// is used twice.
#pragma once

#include "pliant/fem/damping.hpp"
#include "pliant/reduced/damping_polynomial.hpp"

namespace pliant {

class PolynomialDamping {
 public:
  // Throws Error if the sizes do not agree, a number is not finite or a viscosity negative.
  PolynomialDamping(DampingParts parts, const Viscosity& viscosity);

  Index size() const { return size_; }  // r
  const Viscosity& viscosity() const { return viscosity_; }
  // The sum of the parts is formed anew; nothing is allocated. If one is negative or not finite,
  // nothing changes: false, or Error.
  bool try_set_viscosity(const Viscosity& viscosity) noexcept;
  void set_viscosity(const Viscosity& viscosity);

  // Scratch of one thread.
  struct Workspace {
    explicit Workspace(const PolynomialDamping& damping);
    VectorXd x, y;  // pairs
  };
  // D += D(q). q: the first r' <= r coordinates, the others are zero. D: r' by r'.
  void add(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<MatrixXd> D,
           Workspace& workspace) const noexcept;

 private:
  DampingParts parts_;
  Viscosity viscosity_;
  Index size_;
  VectorXd constant_;
  MatrixXd linear_;
  // Panels of four rows of the lower triangle, in 4 by 4 tiles, the last one the diagonal's in
  // full.
  VectorXd panels_;
};

}  // namespace pliant
