// SPDX-License-Identifier: MIT
#include "pliant/full/implicit_step.hpp"

#include <gtest/gtest.h>

#include "full/bodies.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/full/consistent_step.hpp"
#include "pliant/full/explicit_step.hpp"

namespace pliant {
namespace {

using test::bar;
using test::left_end;
using test::no_load;
using Scheme = ImplicitOptions::Scheme;

// The bar after swinging for `duration` in steps of dt.
VectorXd swing(const FullModel& model, const ImplicitOptions& options, double duration, int steps) {
  ImplicitStepper stepper(model, options);
  FullState state(model);
  test::set_bending_velocity(model, state);
  const FullLoad load = no_load(model);
  stepper.start(load, state);
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(stepper.step(load, duration / steps, state), StepStatus::ok);
  }
  return state.z;
}

TEST(ImplicitStep, NewmarkIsOfSecondOrderAndBackwardEulerOfFirst) {
  const FullModel model = bar(left_end());
  const double duration = 0.05;
  const VectorXd exact = swing(model, {}, duration, 512);
  const auto error = [&](const ImplicitOptions& options, int steps) {
    return (swing(model, options, duration, steps) - exact).norm();
  };
  const double order = std::log2(error({}, 8) / error({}, 16));
  EXPECT_NEAR(order, 2.0, 0.3);
  const ImplicitOptions euler{.scheme = Scheme::backward_euler};
  EXPECT_NEAR(std::log2(error(euler, 64) / error(euler, 128)), 1.0, 0.2);
}

TEST(ImplicitStep, AgreesWithTheExplicitScheme) {
  const FullModel model = bar(left_end());
  const double duration = 0.05;
  FullState state(model);
  test::set_bending_velocity(model, state);
  ExplicitStepper stepper(model, 0.2);
  const FullLoad load = no_load(model);
  stepper.start(load, state);
  ASSERT_EQ(stepper.advance(load, duration, state), StepStatus::ok);
  const VectorXd z = swing(model, {}, duration, 256);
  EXPECT_LT((z - state.z).norm(), 1e-2 * z.norm());
}

TEST(ImplicitStep, DirectAndIterativeSolversAgree) {
  const FullModel model = bar(left_end(), {.alpha = 1, .beta = 1e-3});
  const VectorXd direct = swing(model, {}, 0.1, 10);
  const VectorXd iterative = swing(model, {.solver = ImplicitOptions::Solver::pcg}, 0.1, 10);
  EXPECT_LT((direct - iterative).norm(), 1e-6 * direct.norm());
}

TEST(ImplicitStep, StaysStableAtStepsFarAboveTheExplicitLimit) {
  const FullModel model = bar(left_end(), {.alpha = 0.5});
  const double limit = ExplicitStepper(model).stable_step();
  ImplicitStepper stepper(model, {});
  FullState state(model);
  const FullLoad load{fem::gravity_load(model.body(), {0, 0, -3})};
  stepper.start(load, state);
  for (int i = 0; i < 50; ++i) {
    ASSERT_FALSE(has(stepper.step(load, 20 * limit, state), StepStatus::not_finite));
  }
  EXPECT_LT(state.u.lpNorm<Eigen::Infinity>(), 0.6);
}

TEST(ImplicitStep, DampedMotionEndsInTheStaticSolutionForEveryLaw) {
  for (const fem::Law law : {fem::Law::linear, fem::Law::stvk, fem::Law::corotational,
                             fem::Law::neo_hookean, fem::Law::stable_neo_hookean}) {
    const FullModel model = bar(left_end(), {.alpha = 10}, law);
    ImplicitStepper stepper(model, {.scheme = Scheme::backward_euler});
    FullState state(model);
    const FullLoad load{fem::gravity_load(model.body(), {0, 0, -2})};
    stepper.start(load, state);
    for (int i = 0; i < 60; ++i) {
      EXPECT_EQ(stepper.step(load, 0.1, state), StepStatus::ok) << fem::name_of(law);
    }
    const VectorXd u = fem::solve_static(model.body(), model.constraints(), load.force).u;
    EXPECT_LT((state.u - u).norm(), 1e-4 * u.norm()) << fem::name_of(law);
  }
}

TEST(ImplicitStep, ConservesMomentumOfAFreeBody) {
  const FullModel model = bar({});
  ImplicitStepper stepper(model, {});
  FullState state(model);
  state.z = fem::test::random_displacement(state.z.size(), 0.002, 1);
  for (Index i = 0; i < state.v.size(); i += 3) state.v.segment<3>(i) << 1, 2, -0.5;
  const FullLoad load = no_load(model);
  stepper.start(load, state);
  const Vector3d before = balance(model, state).momentum;
  for (int i = 0; i < 20; ++i) stepper.step(load, 0.002, state);
  EXPECT_LT((balance(model, state).momentum - before).norm(), 1e-6 * before.norm());
}

TEST(ImplicitStep, RefusesBadParametersAndLoads) {
  const FullModel model = bar(left_end());
  EXPECT_THROW(ImplicitStepper(model, {.beta = 0}), Error);
  EXPECT_THROW(ImplicitStepper(model, {.gamma = 0.4}), Error);
  EXPECT_THROW(bar(left_end(), {.alpha = -1}), Error);
  ImplicitStepper stepper(model, {});
  FullState state(model);
  FullLoad load = no_load(model);
  load.force[load.force.size() - 1] = NAN;
  EXPECT_TRUE(has(stepper.step(load, 0.01, state), StepStatus::not_finite));
  EXPECT_TRUE(state.z.allFinite());
}

// [Zhuang00] ch. 4
TEST(ConsistentStep, ConvergesToTheSameMotionAsTheLumpedScheme) {
  const FullModel model = bar(left_end());
  const double longest = 0.01;
  ConsistentStepper stepper(model, longest, 12);
  EXPECT_GT(stepper.stable_level(), 0);
  EXPECT_LE(stepper.step_of(stepper.stable_level()), stepper.critical_step());
  FullState state(model);
  test::set_bending_velocity(model, state);
  const FullLoad load = no_load(model);
  stepper.start(load, state);
  const Balance before = balance(model, state);
  const int level = stepper.stable_level() + 1;
  const int steps = static_cast<int>(0.05 / stepper.step_of(level));
  for (int i = 0; i < steps; ++i) ASSERT_EQ(stepper.step(load, level, state), StepStatus::ok);
  const VectorXd lumped = swing(model, {}, state.time, 100);
  // The masses differ by an error of the order of the mesh size squared.
  EXPECT_LT((state.z - lumped).norm(), 0.1 * lumped.norm());
  EXPECT_GT(before.kinetic, 0);
}

TEST(ConsistentStep, DampedMotionEndsInTheStaticSolution) {
  const FullModel model = bar(left_end(), {.alpha = 10, .beta = 1e-4});
  ConsistentStepper stepper(model, 0.004, 10);
  FullState state(model);
  const FullLoad load{fem::gravity_load(model.body(), {0, 0, -2})};
  stepper.start(load, state);
  while (state.time < 4.0) {
    ASSERT_EQ(stepper.step(load, stepper.stable_level(), state), StepStatus::ok);
  }
  const VectorXd u = fem::solve_static(model.body(), model.constraints(), load.force).u;
  EXPECT_LT((state.u - u).norm(), 1e-4 * u.norm());
}

TEST(ConsistentStep, PutsTheStateBackWhenNumbersAreLost) {
  const FullModel model = bar(left_end());
  ConsistentStepper stepper(model, 0.01, 12);
  FullState state(model);
  FullLoad load = no_load(model);
  load.force[load.force.size() - 1] = INFINITY;
  EXPECT_EQ(stepper.step(load, stepper.stable_level(), state), StepStatus::not_finite);
  EXPECT_TRUE(state.z.allFinite() && state.v.allFinite() && state.a.allFinite());
  EXPECT_EQ(state.time, 0.0);
}

TEST(ConsistentStep, RefusesALevelThatIsTooCoarse) {
  const FullModel model = bar(left_end());
  ConsistentStepper stepper(model, 0.05, 12);
  FullState state(model);
  EXPECT_EQ(stepper.step(no_load(model), stepper.stable_level() - 1, state),
            StepStatus::unstable_step);
  EXPECT_THROW(ConsistentStepper(model, 1.0, 1), Error);
  EXPECT_THROW(ConsistentStepper(model, -1.0, 3), Error);
}

}  // namespace
}  // namespace pliant
