// SPDX-License-Identifier: MIT
#include "pliant/full/collision.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "full/bodies.hpp"
#include "pliant/fem/loads.hpp"

namespace pliant {
namespace {

FullModel cube(const Vector3d& at, int n = 3) {
  VolumeMesh mesh = fem::test::block(ElementType::hex8, n, n, n, Vector3d::Constant(0.2));
  mesh.V.colwise() += at;
  return FullModel(fem::ElasticModel(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)}),
                   fem::Constraints(mesh), {.alpha = 1});
}

void set_velocity(FullState& state, const Vector3d& v) {
  for (Index i = 0; i < state.v.size(); i += 3) state.v.segment<3>(i) = v;
}

TEST(Collision, AFallingCubeComesToRestOnAPlane) {
  const FullModel model = cube({0, 0, 0.02});
  ExplicitStepper stepper(model);
  const ContactSurface surface(model.body().mesh());
  FullState state(model);
  const FullLoad load{fem::gravity_load(model.body(), {0, 0, -9.81})};
  stepper.start(load, state);
  const RigidShape floor;
  std::vector<NodeContact> contacts;
  contacts.reserve(surface.nodes().size());
  std::vector<Vector3d> reactions(surface.nodes().size());
  const double dt = 0.9 * stepper.stable_step();
  double weight = 0, samples = 0;
  while (state.time < 6.0) {
    find_contacts(model, state, surface, floor, 0.0, contacts);
    ASSERT_EQ(stepper.step(load, dt, contacts, {.friction = 0.3}, reactions, state),
              StepStatus::ok);
    if (state.time > 4.0) {
      for (std::size_t c = 0; c < contacts.size(); ++c) weight += reactions[c][2];
      samples += 1;
    }
  }
  double lowest = 1;
  for (const int n : surface.nodes()) {
    lowest = std::min(lowest, model.body().mesh().V(2, n) + state.u[3 * n + 2]);
  }
  EXPECT_GT(lowest, -2e-3);
  EXPECT_LT(lowest, 2e-3);
  // On the average the floor carries the weight.
  EXPECT_NEAR(weight / samples, 8.0 * 9.81, 0.1 * 8.0 * 9.81);
}

TEST(Collision, APushedPlaneCarriesTheBodyAlong) {
  const FullModel model = cube({0, 0, 0});
  ExplicitStepper stepper(model);
  const ContactSurface surface(model.body().mesh());
  FullState state(model);
  const FullLoad load = test::no_load(model);
  stepper.start(load, state);
  RigidShape piston;
  piston.velocity = {0, 0, 0.5};
  std::vector<NodeContact> contacts;
  const double dt = stepper.stable_step() * 0.9;
  for (int i = 0; i < 400; ++i) {
    piston.position[2] = 0.5 * state.time;
    find_contacts(model, state, surface, piston, 1e-9, contacts);
    stepper.step(load, dt, contacts, {}, {}, state);
  }
  EXPECT_GT(balance(model, state).momentum[2] / 8.0, 0.3);
}

TEST(Collision, TwoBodiesKeepTheirMomentumAndDoNotPassThrough) {
  const FullModel a = cube({0, 0, 0}), b = cube({0.013, 0.017, 0.21});
  ExplicitStepper step_a(a), step_b(b);
  const ContactSurface surface_a(a.body().mesh()), surface_b(b.body().mesh());
  FullState state_a(a), state_b(b);
  set_velocity(state_a, {0, 0, 0.5});
  set_velocity(state_b, {0, 0, -0.5});
  const FullLoad load = test::no_load(a);
  step_a.start(load, state_a);
  step_b.start(load, state_b);
  const double dt = 0.5 * std::min(step_a.stable_step(), step_b.stable_step());
  const auto momentum = [&]() -> Vector3d {
    return balance(a, state_a).momentum + balance(b, state_b).momentum;
  };
  const Vector3d before = momentum();
  const MeetingPart part_a{a, state_a, surface_a}, part_b{b, state_b, surface_b};
  Vector3d largest = Vector3d::Zero();
  double deepest = 0;
  for (int i = 0; i < 300; ++i) {
    step_a.step(load, dt, state_a);
    step_b.step(load, dt, state_b);
    auto ab = find_contacts(part_a, part_b, 0, 0.05);
    auto ba = find_contacts(part_b, part_a, 0, 0.05);
    for (const PairContact& c : ab) deepest = std::min(deepest, c.gap);
    const Vector3d f = resolve_pairs(ab, 0.2, dt, part_a, part_b);
    const Vector3d g = resolve_pairs(ba, 0.2, dt, part_b, part_a);
    largest = largest.cwiseMax((f - g).cwiseAbs());
  }
  EXPECT_GT(largest[2], 1.0);
  EXPECT_GT(deepest, -0.01);
  // Damping by alpha takes from both alike, so the sum stays at its zero.
  EXPECT_LT((momentum() - before).norm(), 1e-9);
  // They bounced: a moves down now, b up.
  EXPECT_LT(balance(a, state_a).momentum[2], 0.5);
  EXPECT_GT(balance(b, state_b).momentum[2], -0.5);
}

}  // namespace
}  // namespace pliant
