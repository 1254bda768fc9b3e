// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_forces.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

EnergyPolynomial random_polynomial(Index r, unsigned seed) {
  std::srand(seed);
  return {VectorXd::Random(pair_count(r)), VectorXd::Random(triple_count(r)),
          VectorXd::Random(quadruple_count(r))};
}

TEST(PolynomialForces, AreTheGradientAndTheHessianOfTheEnergy) {
  const Index r = 5;
  const PolynomialForces forces({random_polynomial(r, 1), random_polynomial(r, 2)},
                                Eigen::Vector2d(0.7, 1.9), Precision::double_precision);
  PolynomialForces::Workspace workspace(forces);
  const VectorXd q = VectorXd::Random(r);
  VectorXd R(r), R_plus(r), R_minus(r);
  MatrixXd K(r, r), unused(r, r);
  forces.evaluate(q, R, K, workspace);
  const double h = 1e-5;
  for (Index i = 0; i < r; ++i) {
    const VectorXd step = h * VectorXd::Unit(r, i);
    const double slope =
        (forces.energy(q + step, workspace) - forces.energy(q - step, workspace)) / (2 * h);
    EXPECT_NEAR(R[i], slope, 1e-8);
    forces.evaluate(q + step, R_plus, unused, workspace);
    forces.evaluate(q - step, R_minus, unused, workspace);
    EXPECT_LT(((R_plus - R_minus) / (2 * h) - K.col(i)).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace pliant
