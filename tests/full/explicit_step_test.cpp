// SPDX-License-Identifier: MIT
#include "pliant/full/explicit_step.hpp"

#include <gtest/gtest.h>

#include "full/bodies.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/full/critical_step.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using test::bar;
using test::left_end;
using test::no_load;

TEST(CriticalStep, EstimatesAgreeWithTheDenseEigenvalue) {
  for (const ElementType type : {ElementType::hex8, ElementType::tet4, ElementType::tet10}) {
    const VolumeMesh mesh =
        fem::test::warped(fem::test::block(type, 2, 2, 1, Vector3d(0.4, 0.3, 0.2)), 0.01);
    const FullModel model(fem::ElasticModel(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 900)}),
                          fem::Constraints(mesh, {0, 1, 2}), {});
    const VectorXd rest = VectorXd::Zero(model.body().dof());
    const MatrixXd K = model.constraints().reduce(model.body().tangent(rest));
    const VectorXd s = model.mass().cwiseSqrt().cwiseInverse();
    const double largest = symmetric_eigen(s.asDiagonal() * K * s.asDiagonal()).values.maxCoeff();
    const double exact = 2 / std::sqrt(largest);
    EXPECT_NEAR(critical_step_by_power_iteration(model, rest, 1e-4), exact, 2e-2 * exact)
        << name_of(type);
    const double bound = critical_step_by_elements(model);
    EXPECT_LE(bound, exact * (1 + 1e-9)) << name_of(type);
    EXPECT_GT(bound, 0.5 * exact) << name_of(type);
  }
}

TEST(ExplicitStep, ConservesMomentumInFreeFlight) {
  const FullModel model = bar({});
  ExplicitStepper stepper(model);
  FullState state(model);
  state.z = fem::test::random_displacement(state.z.size(), 0.002, 1);
  for (Index i = 0; i < state.v.size(); i += 3) state.v.segment<3>(i) << 1, 2, -0.5;
  const FullLoad load = no_load(model);
  stepper.start(load, state);
  const Balance before = balance(model, state);
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(stepper.step(load, stepper.stable_step(), state), StepStatus::ok);
  }
  const Balance after = balance(model, state);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-11 * before.momentum.norm());
}

TEST(ExplicitStep, KeepsTheEnergyOfAnUndampedBody) {
  const FullModel model = bar(left_end());
  ExplicitStepper stepper(model, 0.3);
  FullState state(model);
  test::set_bending_velocity(model, state);
  const FullLoad load = no_load(model);
  stepper.start(load, state);
  const Balance start = balance(model, state);
  const double energy = start.kinetic + start.elastic;
  for (int i = 0; i < 3000; ++i) stepper.step(load, stepper.stable_step(), state);
  const Balance end = balance(model, state);
  EXPECT_NEAR(end.kinetic + end.elastic, energy, 2e-2 * energy);
}

TEST(ExplicitStep, DampedMotionEndsInTheStaticSolution) {
  const FullModel model = bar(left_end(), {.alpha = 10});
  ExplicitStepper stepper(model);
  FullState state(model);
  const FullLoad load{fem::gravity_load(model.body(), {0, 0, -2})};
  stepper.start(load, state);
  EXPECT_EQ(stepper.advance(load, 4.0, state), StepStatus::ok);
  const VectorXd u = fem::solve_static(model.body(), model.constraints(), load.force).u;
  EXPECT_LT((state.u - u).norm(), 1e-4 * u.norm());
  EXPECT_NEAR(state.time, 4.0, 1e-9);
}

TEST(ExplicitStep, RefusesAStepThatCannotBeStable) {
  const FullModel model = bar(left_end());
  ExplicitStepper stepper(model);
  FullState state(model);
  const VectorXd z = state.z;
  EXPECT_EQ(stepper.step(no_load(model), 1.01 * stepper.stable_step(), state),
            StepStatus::unstable_step);
  EXPECT_EQ(state.z, z);
  EXPECT_EQ(state.time, 0.0);
  EXPECT_THROW(ExplicitStepper(bar(left_end(), {.beta = 0.1})), Error);
}

TEST(ExplicitStep, PutsTheStateBackWhenNumbersAreLost) {
  const FullModel model = bar(left_end());
  ExplicitStepper stepper(model);
  FullState state(model);
  FullLoad load = no_load(model);
  load.force[load.force.size() - 1] = INFINITY;
  EXPECT_EQ(stepper.step(load, stepper.stable_step(), state), StepStatus::not_finite);
  EXPECT_TRUE(state.z.allFinite() && state.v.allFinite() && state.a.allFinite());
}

TEST(ExplicitStep, AllocatesNothing) {
  const FullModel model = bar(left_end());
  ExplicitStepper stepper(model);
  FullState state(model);
  const FullLoad load{fem::gravity_load(model.body(), {0, 0, -2})};
  const NodeContact contacts[] = {{20, -0.001, Vector3d::UnitZ(), Vector3d::Zero()}};
  Vector3d reactions[1];
  stepper.start(load, state);
  const test::AllocationCounter counter;
  for (int i = 0; i < 40; ++i) {
    stepper.step(load, stepper.stable_step(), contacts, {}, reactions, state);
  }
  EXPECT_EQ(counter.count(), 0);
}

// [Zhuang00] (3.12), (3.19): in contact for two equal steps, a node does not move along the normal.
TEST(ExplicitStep, ANodeInContactStaysOnTheSurface) {
  const FullModel model = bar({});
  ExplicitStepper stepper(model);
  FullState state(model);
  for (Index i = 2; i < state.v.size(); i += 3) state.v[i] = -1.0;
  const FullLoad load = no_load(model);
  stepper.start(load, state);
  const int node = 0;
  const double dt = stepper.stable_step();
  const NodeContact contact[] = {{node, 0.0, Vector3d::UnitZ(), Vector3d::Zero()}};
  Vector3d reaction[1];
  const double before = state.z[2];
  stepper.step(load, dt, contact, {}, reaction, state);
  EXPECT_NEAR(state.v[2], 0.0, 1e-12);
  EXPECT_GT(reaction[0][2], 0.0);
  stepper.step(load, dt, contact, {}, reaction, state);
  EXPECT_NEAR(state.z[2], before, 1e-12);
}

TEST(ExplicitStep, ContactPushesButDoesNotPull) {
  const FullModel model = bar({});
  ExplicitStepper stepper(model);
  FullState state(model);
  for (Index i = 2; i < state.v.size(); i += 3) state.v[i] = 1.0;  // leaving
  const FullLoad load = no_load(model);
  stepper.start(load, state);
  const NodeContact contact[] = {{0, 0.0, Vector3d::UnitZ(), Vector3d::Zero()}};
  Vector3d reaction[1];
  stepper.step(load, stepper.stable_step(), contact, {}, reaction, state);
  EXPECT_EQ(reaction[0].norm(), 0.0);
  EXPECT_GT(state.v[2], 0.5);
}

// [Zhuang00] 5.4.1
TEST(ExplicitStep, FrictionIsAtMostMuTimesTheNormalForceAndOnlyBrakes) {
  for (const double mu : {0.0, 0.3, 100.0}) {
    const FullModel model = bar({});
    ExplicitStepper stepper(model);
    FullState state(model);
    for (Index i = 0; i < state.v.size(); i += 3) state.v.segment<3>(i) << 2.0, 0.0, -1.0;
    const FullLoad load = no_load(model);
    stepper.start(load, state);
    const NodeContact contact[] = {{0, 0.0, Vector3d::UnitZ(), Vector3d::Zero()}};
    Vector3d reaction[1];
    const double dt = stepper.stable_step();
    stepper.step(load, dt, contact, {.friction = mu}, reaction, state);
    EXPECT_GE(state.v[0], -1e-12);
    EXPECT_LE(-reaction[0][0], mu * reaction[0][2] + 1e-12);
    if (mu == 0.3) {
      EXPECT_NEAR(-reaction[0][0], 0.3 * reaction[0][2], 1e-9);
    } else if (mu == 100.0) {
      // Half of it is braked now, the other half by the acceleration in the next step.
      EXPECT_NEAR(state.v[0], 1.0, 1e-12);
      EXPECT_NEAR(state.v[0] + 0.5 * dt * state.a[0], 0.0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace pliant
