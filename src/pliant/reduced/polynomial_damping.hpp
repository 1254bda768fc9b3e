// SPDX-License-Identifier: MIT
// The matrix D(q) of strain-rate damping (damping_polynomial.hpp), for the 1 kHz step. Like the
// energy it is a sum of parts with a coefficient each, phi and psi [Pa s]. D2 is a symmetric matrix
// over pairs, so its lower triangle is stored, in panels of rows, and each number is used twice.
#pragma once

#include <vector>

#include "pliant/reduced/damping_polynomial.hpp"

namespace pliant {

class PolynomialDamping {
 public:
  // Parts of equal r, a coefficient each. Throws Error if the sizes do not agree or a number is not
  // finite.
  PolynomialDamping(std::vector<DampingPolynomial> parts, VectorXd coefficients);

  Index size() const { return size_; }  // r
  const VectorXd& coefficients() const { return coefficients_; }
  // The sum of the parts is formed anew; nothing is allocated. As many as there are parts.
  void set_coefficients(const VectorXd& coefficients) noexcept;

  // Scratch of one thread.
  struct Workspace {
    explicit Workspace(const PolynomialDamping& damping);
    VectorXd x, y;  // pairs
  };
  // q: the first r' <= r coordinates, the others are zero. D: r' by r', both triangles.
  void evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<MatrixXd> D,
                Workspace& workspace) const noexcept;

 private:
  std::vector<DampingPolynomial> parts_;
  VectorXd coefficients_;
  Index size_;
  VectorXd constant_;
  MatrixXd linear_;
  // Panels of four rows of the lower triangle, in 4 by 4 tiles, the last one the diagonal's in
  // full.
  VectorXd panels_;
};

}  // namespace pliant
