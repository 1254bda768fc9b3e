// SPDX-License-Identifier: MIT
#include "pliant/reduced/rest_modes.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "reduced/polynomials.hpp"

namespace pliant {
namespace {

ReducedModel model_of(const EnergyPolynomial& energy, const MatrixXd& M) {
  return ReducedModel(PolynomialForces({energy}, VectorXd::Ones(1)), {{M}, VectorXd::Ones(1)}, {});
}

TEST(RestModes, AreTheFrequenciesOfTheLinearBody) {
  const Index r = 6;
  ReducedModel model = model_of(test::stable_polynomial(r, 3, 300, 1, 7), MatrixXd::Identity(r, r));
  model.set_active(2);  // which changes nothing
  const RestModes modes = rest_modes(model);
  ASSERT_EQ(modes.frequencies.size(), r);
  for (Index i = 0; i < r; ++i) {
    const double omega = 3 * std::pow(100.0, static_cast<double>(i) / 5);
    EXPECT_NEAR(2 * std::numbers::pi * modes.frequencies[i], omega, 1e-6 * omega);
  }
}

TEST(RestModes, SolveTheEigenproblemAndAreOfUnitLength) {
  const Index r = 5;
  const MatrixXd A = test::random_vector(r * r, 1, 3).reshaped(r, r);
  const MatrixXd M = A.transpose() * A + MatrixXd::Identity(r, r);
  const ReducedModel model = model_of(test::stable_polynomial(r, 10, 80, 1, 2), M);
  const MatrixXd K = stiffness(model, VectorXd::Zero(r));
  const RestModes modes = rest_modes(model);
  for (Index i = 0; i < r; ++i) {
    const double omega = 2 * std::numbers::pi * modes.frequencies[i];
    const VectorXd c = modes.c.col(i);
    EXPECT_NEAR(c.norm(), 1, 1e-14);
    EXPECT_LT((K * c - omega * omega * M * c).norm(), 1e-11 * K.norm());
  }
}

TEST(RestModes, OfADirectionWithoutStiffnessAreZero) {
  EnergyPolynomial energy{Vector3d(-4, 0, 9), VectorXd::Zero(4), VectorXd::Zero(5)};
  const RestModes modes = rest_modes(model_of(energy, MatrixXd::Identity(2, 2)));
  EXPECT_EQ(modes.frequencies[0], 0);
  EXPECT_NEAR(modes.frequencies[1], 3 / (2 * std::numbers::pi), 1e-14);
}

}  // namespace
}  // namespace pliant
