// SPDX-License-Identifier: MIT
// Small reduced bodies for tests of their steps.
#pragma once

#include <gtest/gtest.h>

#include "pliant/reduced/reduced_step.hpp"
#include "reduced/polynomials.hpp"

namespace pliant::test {

inline ReducedMass unit_mass(Index r) {
  return {{MatrixXd::Identity(r, r)}, VectorXd::Ones(1)};
}

// A body with frequencies of 1 to 20 rad/s that is nonlinear from |q| = 1 on.
inline ReducedModel body(Index r, const StepOptions& options, Damping damping = {}) {
  return ReducedModel(PolynomialForces({stable_polynomial(r, 1, 20, 1, 5)}, VectorXd::Ones(1),
                                       Precision::double_precision),
                      unit_mass(r), damping, options);
}

// One coordinate: V = 1/2 k q^2 + 1/24 V4 q^4.
inline ReducedModel spring(double k, double V4, double m, const StepOptions& options,
                           Damping damping = {}) {
  const VectorXd one = VectorXd::Ones(1);
  return ReducedModel(
      PolynomialForces({{k * one, 0 * one, V4 * one}}, one, Precision::double_precision),
      {{MatrixXd::Constant(1, 1, m)}, one}, damping, options);
}

inline ReducedLoad no_load(Index r) {
  return {VectorXd::Zero(r)};
}

// Runs `steps` steps from rest with a velocity of 1 in every coordinate.
inline ReducedState swing(const ReducedModel& model, int steps) {
  ReducedState state(model);
  state.v.setOnes();
  const ReducedLoad load = no_load(model.size());
  start(model, load, state);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(step(model, load, state), StepStatus::ok);
  return state;
}

}  // namespace pliant::test
