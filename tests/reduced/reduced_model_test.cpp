// SPDX-License-Identifier: MIT
// A model of a reduced body: what it refuses, and edits while the body moves.
#include "pliant/reduced/reduced_model.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "reduced/step_bodies.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using test::body;
using test::random_vector;
using test::swing;
using test::unit_mass;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(ReducedModel, CanBeEditedWhileTheBodyMoves) {
  const Index r = 4;
  const EnergyPolynomial p = test::stable_polynomial(r, 1, 10, 1, 5);
  const EnergyPolynomial q = test::stable_polynomial(r, 2, 20, 1, 6);
  const MatrixXd M = MatrixXd::Identity(r, r), N = 0.5 * MatrixXd::Identity(r, r);
  const auto make = [&](double a, double b, double rho, double sigma) {
    return ReducedModel(
        PolynomialForces({p, q}, Eigen::Vector2d(a, b), Precision::double_precision),
        {{M, N}, Eigen::Vector2d(rho, sigma)}, {.alpha = 0.1});
  };
  ReducedModel edited = make(1, 1, 1, 1);
  const ReducedModel fresh = make(0.3, 2.5, 3, 0.7);
  ReducedState a(edited), b(fresh);
  edited.set_coefficients(Eigen::Vector2d(0.3, 2.5));
  edited.set_densities(Eigen::Vector2d(3, 0.7));
  const ReducedLoad load{random_vector(r, 5.0, 3)};
  for (int i = 0; i < 100; ++i) {
    step(edited, load, a);
    step(fresh, load, b);
  }
  EXPECT_EQ(a.q, b.q);
}

// What a command of a user may ask for while the body moves.
TEST(ReducedModel, AnEditThatIsRefusedChangesNothingAndThrowsNothing) {
  const Index r = 4;
  ReducedModel model = body(r, {}, {.alpha = 0.1});
  const VectorXd one = VectorXd::Ones(1), two = VectorXd::Ones(2), bad = VectorXd::Constant(1, NAN),
                 negative = -one;
  const MatrixXd M = model.mass();
  const test::AllocationCounter counter;
  EXPECT_FALSE(model.try_set_coefficients(two));
  EXPECT_FALSE(model.try_set_coefficients(bad));
  EXPECT_FALSE(model.try_set_densities(two));
  EXPECT_FALSE(model.try_set_densities(bad));
  EXPECT_FALSE(model.try_set_densities(negative));
  EXPECT_FALSE(model.try_set_damping({.alpha = -1}));
  EXPECT_FALSE(model.try_set_damping({.beta = infinity}));
  EXPECT_FALSE(model.try_set_viscosity({1, 1}));  // there is none
  EXPECT_FALSE(model.try_set_options({.dt = 0}));
  EXPECT_FALSE(model.try_set_options({.gamma = 0.4}));
  EXPECT_FALSE(model.try_set_options({.max_iterations = 0}));
  EXPECT_FALSE(model.try_set_options({.tolerance = 1}));
  EXPECT_FALSE(model.try_set_options({.acceleration_limit = NAN}));
  EXPECT_FALSE(model.try_set_active(0));
  EXPECT_FALSE(model.try_set_active(r + 1));
  EXPECT_EQ(counter.count(), 0);
  const ReducedModel fresh = body(r, {}, {.alpha = 0.1});
  EXPECT_EQ(model.edits(), fresh.edits());
  EXPECT_EQ(model.mass(), M);
  EXPECT_EQ(model.damping().alpha, 0.1);
  EXPECT_EQ(model.active(), r);
  EXPECT_EQ(swing(model, 20).q, swing(fresh, 20).q);
}

// Densities that leave a direction without mass: what was there stays.
TEST(ReducedModel, KeepsItsMassIfTheNewOneCannotBeFactored) {
  const Index r = 2;
  const MatrixXd M = MatrixXd::Identity(r, r), singular = MatrixXd::Ones(r, r);
  ReducedModel model(PolynomialForces({test::stable_polynomial(r, 1, 2, 1, 1)}, VectorXd::Ones(1)),
                     {{M, singular}, Eigen::Vector2d(2, 3)}, {});
  const MatrixXd before = model.mass();
  EXPECT_FALSE(model.try_set_densities(Eigen::Vector2d(1e-20, 1)));
  EXPECT_EQ(model.mass(), before);
  EXPECT_EQ(model.mass_parts().densities, Eigen::Vector2d(2, 3));
  Eigen::VectorXd x = before * Eigen::Vector2d(4, 5);
  model.mass_solver().solve(x);
  EXPECT_LT((x - Eigen::Vector2d(4, 5)).norm(), 1e-14);
}

TEST(ReducedModel, RefusesWhatCannotBe) {
  const Index r = 3;
  const auto forces = [&] {
    return PolynomialForces({test::stable_polynomial(r, 1, 2, 1, 1)}, VectorXd::Ones(1));
  };
  EXPECT_THROW(ReducedModel(forces(), unit_mass(2), {}), Error);
  EXPECT_THROW(ReducedModel(forces(), {{}, VectorXd()}, {}), Error);
  EXPECT_THROW(ReducedModel(forces(), {{MatrixXd::Zero(r, r)}, VectorXd::Ones(1)}, {}), Error);
  EXPECT_THROW(ReducedModel(forces(), {{MatrixXd::Identity(r, r)}, VectorXd::Ones(2)}, {}), Error);
  EXPECT_THROW(ReducedModel(forces(), {{MatrixXd::Constant(r, r, NAN)}, VectorXd::Ones(1)}, {}),
               Error);
  MatrixXd skew = MatrixXd::Identity(r, r);
  skew(0, 1) = 0.1;
  EXPECT_THROW(ReducedModel(forces(), {{skew}, VectorXd::Ones(1)}, {}), Error);
  EXPECT_THROW(ReducedModel(forces(), unit_mass(r), {.alpha = -1}), Error);
  for (const StepOptions& bad :
       {StepOptions{.dt = 0}, StepOptions{.dt = infinity}, StepOptions{.beta = 0},
        StepOptions{.gamma = 0.4}, StepOptions{.max_iterations = 0}, StepOptions{.tolerance = 0},
        StepOptions{.acceleration_limit = 0}, StepOptions{.acceleration_limit = NAN}}) {
    EXPECT_THROW(ReducedModel(forces(), unit_mass(r), {}, bad), Error);
  }
  ReducedModel model(forces(), unit_mass(r), {});
  EXPECT_THROW(model.set_active(0), Error);
  EXPECT_THROW(model.set_active(r + 1), Error);
  EXPECT_THROW(model.set_densities(VectorXd::Constant(1, -1)), Error);
  EXPECT_THROW(model.set_coefficients(VectorXd::Ones(2)), Error);
  EXPECT_THROW(model.set_coefficients(VectorXd::Constant(1, NAN)), Error);
  EXPECT_EQ(model.mass(), MatrixXd::Identity(r, r));
}

}  // namespace
}  // namespace pliant
