// SPDX-License-Identifier: MIT
// Reduced internal forces R(q) and stiffness K(q) from the energy polynomial
// (energy_polynomial.hpp), for the 1 kHz step; the work is done in polynomial_kernel.hpp.
//
// The body's energy is a sum of parts with a coefficient each, V = sum_p c_p V_p: Lamé's lambda and
// mu of a group of elements. Coefficients may change while the body moves. [Barbic07] 2.11
#pragma once

#include <variant>
#include <vector>

#include "pliant/reduced/polynomial_kernel.hpp"

namespace pliant {

// Of the cubic and quartic coefficients and their sums; the quadratic ones are always double.
// Double: R and K are right to 1e-12. Single takes 60 % of the time and half the memory, and R is
// right to 1e-6 of the largest of its quadratic, cubic and quartic parts: in a large bend of a thin
// body these nearly cancel, and 1e-5 of R itself is left.
enum class Precision { single_precision, double_precision };

class PolynomialForces {
 public:
  // Parts of equal r, a coefficient each. Throws Error if the sizes do not agree or a number is not
  // finite.
  PolynomialForces(std::vector<EnergyPolynomial> parts, VectorXd coefficients,
                   Precision precision = Precision::double_precision);

  Index size() const { return size_; }  // r
  const VectorXd& coefficients() const { return coefficients_; }
  // The sum of the parts is formed anew; nothing is allocated. As many as there are parts.
  void set_coefficients(const VectorXd& coefficients) noexcept;

  // Scratch of one thread.
  struct Workspace {
    explicit Workspace(const PolynomialForces& forces);
    std::variant<PolynomialKernel<double>::Scratch, PolynomialKernel<float>::Scratch> scratch;
  };
  // q: the first r' <= r coordinates, the others are zero. R: r', K: r' by r', both triangles. They
  // are references so that a leading part of larger storage can be passed without a copy.
  void evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<VectorXd> R, Eigen::Ref<MatrixXd> K,
                Workspace& workspace) const noexcept;
  double energy(const Eigen::Ref<const VectorXd>& q, Workspace& workspace) const noexcept;

 private:
  using Kernel = std::variant<PolynomialKernel<double>, PolynomialKernel<float>>;

  std::vector<EnergyPolynomial> parts_;  // as the kernel takes them
  VectorXd coefficients_;
  Index size_;
  Kernel kernel_;
};

}  // namespace pliant
