// SPDX-License-Identifier: MIT
#include "pliant/haptics/dynamic_coupling.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "coupling_contacts.hpp"
#include "pliant/base/error.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

constexpr double dt = 1e-3;

TEST(DynamicCoupling, ComesToTheSameRestAsTheStaticOne) {
  DynamicCouplingSpec spec;
  StaticCouplingSpec static_spec;
  static_spec.spring = spec.spring;
  DynamicCoupling dynamic(spec, dt, {});
  StaticCoupling still(static_spec, dt, {});
  const test::PlaneContacts wall{{{{0.01, 0, 0}}, {{-0.01, 0.01, 0}}, {{-0.01, -0.01, 0}}},
                                 {{Vector3d(0.2, 0, 1).normalized(), 0.0}},
                                 800};
  const Pose hand{{0, 0, -0.003}, rotation_by({0.05, -0.1, 0})};
  HandForce a, b;
  for (int n = 0; n < 3000; ++n) {
    a = dynamic.advance(hand, Vector6d::Zero(), wall.at(dynamic.object()));
    b = still.advance(hand, wall.at(still.object()));
  }
  EXPECT_LT((a.on_hand - b.on_hand).norm(), 1e-6);
  EXPECT_GT(a.on_hand.norm(), 0.5);
}

// A critically damped spring: x = (1 + w t) e^-wt of the way is left.
TEST(DynamicCoupling, FollowsAHandThatJumpsAsACriticallyDampedMass) {
  DynamicCouplingSpec spec;
  spec.most_speed = 100;
  spec.sub_steps = 400;
  DynamicCoupling coupling(spec, dt, {});
  const Pose hand{{0.001, 0, 0}, Eigen::Quaterniond::Identity()};
  const double w = std::sqrt(spec.spring.force.stiffness / spec.mass);
  for (int n = 1; n <= 40; ++n) {
    coupling.advance(hand, Vector6d::Zero(), {});
    const double left = (1 + w * n * dt) * std::exp(-w * n * dt);
    EXPECT_NEAR(coupling.object().position[0], 0.001 * (1 - left), 4e-6) << n;
  }
}

TEST(DynamicCoupling, IsNotFeltInFreeSpace) {
  DynamicCoupling coupling({}, dt, {});
  test::AllocationCounter counter;
  for (int n = 0; n < 100; ++n) {
    const Pose hand{{1e-3 * n, 0, 0}, Eigen::Quaterniond::Identity()};
    Vector6d speed = Vector6d::Zero();
    speed[0] = 1;
    EXPECT_TRUE(coupling.advance(hand, speed, {}).on_hand.isZero(0.0));
  }
  EXPECT_EQ(counter.count(), 0);
}

TEST(DynamicCoupling, RefusesWhatNoObjectHas) {
  DynamicCouplingSpec spec;
  spec.mass = -1;
  EXPECT_THROW(DynamicCoupling(spec, dt, {}), Error);
  spec = {};
  spec.sub_steps = 0;
  EXPECT_THROW(DynamicCoupling(spec, dt, {}), Error);
}

}  // namespace
}  // namespace pliant
