// SPDX-License-Identifier: MIT
// Reduced internal forces and stiffness from the energy polynomial (energy_polynomial.hpp), for the
// 1 kHz step. The stiffness is evaluated, and the force follows from it, because the parts are
// homogeneous (Euler): with K = K2 + K3 + K4 by degree in q,
//
//   R = (K2 + 1/2 K3 + 1/3 K4) q,      V = 1/2 q.(K2 + 1/3 K3 + 1/6 K4) q
//
// The body's energy is a sum of parts with a coefficient each, V = sum_p c_p V_p: Lamé's lambda and
// mu of a group of elements. Coefficients may change while the body moves. [Barbic07] 2.11
#pragma once

#include <vector>

#include "pliant/reduced/energy_polynomial.hpp"

namespace pliant {

// Of the coefficients and sums: single is right to 1e-6, double to 1e-12 of the force.
enum class Precision { single_precision, double_precision };

class PolynomialForces {
 public:
  // Parts of equal r, a coefficient each. Throws Error if the sizes do not agree or a number is not
  // finite.
  PolynomialForces(std::vector<EnergyPolynomial> parts, VectorXd coefficients,
                   Precision precision = Precision::single_precision);

  Index size() const { return size_; }  // r
  const VectorXd& coefficients() const { return coefficients_; }
  // The sum of the parts is formed anew; nothing is allocated. As many as there are parts.
  void set_coefficients(const VectorXd& coefficients) noexcept;

  // Scratch of one thread.
  struct Workspace {
    explicit Workspace(const PolynomialForces& forces);
    VectorXd pairs, K3, K4;
  };
  // q: the first r' <= r coordinates, the others are zero. R: r', K: r' by r', both triangles. They
  // are references so that a leading part of larger storage can be passed without a copy.
  void evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<VectorXd> R, Eigen::Ref<MatrixXd> K,
                Workspace& workspace) const noexcept;
  double energy(const Eigen::Ref<const VectorXd>& q, Workspace& workspace) const noexcept;

 private:
  void evaluate_pairs(const Eigen::Ref<const VectorXd>& q, Workspace& workspace) const noexcept;

  std::vector<EnergyPolynomial> parts_;
  VectorXd coefficients_;
  Precision precision_;
  Index size_;
  VectorXd K2_;  // pairs
  MatrixXd A3_;  // pairs by r
  MatrixXd A4_;  // pairs by pairs
};

}  // namespace pliant
