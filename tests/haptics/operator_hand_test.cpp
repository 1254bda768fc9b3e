// SPDX-License-Identifier: MIT
#include "pliant/haptics/operator_hand.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/haptics/passivity_guard.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

constexpr double dt = 1e-3;

// Device alone, without a grip.
OperatorSpec device_alone(int delay = 0) {
  OperatorSpec spec;
  spec.mass = 2.0;  // so that little moves in a cycle
  spec.damping = 1.0;
  spec.grip_stiffness = spec.grip_damping = 0;
  spec.delay = delay;
  spec.most_force = 1e9;
  return spec;
}

// Whether a spring f = -K x, sampled and held, brings the device to rest.
bool settles(double K, const OperatorSpec& spec, int cycles = 60000) {
  OperatorHand hand(spec, dt, {});
  Vector6d push = Vector6d::Zero();
  push[0] = 1;
  for (int n = 0; n < 50; ++n) hand.advance(push, {});
  double early = 0, late = 0;
  for (int n = 0; n < cycles; ++n) {
    Vector6d f = Vector6d::Zero();
    f[0] = -K * hand.sensed().position[0];
    hand.advance(f, {});
    const double size = std::abs(hand.place()[0]);
    (n < cycles / 4 ? early : late) = std::max(n < cycles / 4 ? early : late, size);
    if (!std::isfinite(size) || size > 1e3) return false;
  }
  return late < early;
}

double largest_stable(const OperatorSpec& spec) {
  double low = 10, high = 1e5;
  for (int n = 0; n < 18; ++n) {
    const double K = std::sqrt(low * high);
    (settles(K, spec) ? low : high) = K;
  }
  return low;
}

// The textbook's limits of a sampled wall, with and without a cycle of delay.
TEST(OperatorHand, FindsTheStiffestSampledWall) {
  const OperatorSpec now = device_alone(), late = device_alone(1);
  EXPECT_NEAR(largest_stable(now), 2 * now.damping / dt, 0.03 * 2 * now.damping / dt);
  EXPECT_NEAR(largest_stable(late), 2 * now.damping / (3 * dt), 0.03 * 2 * now.damping / (3 * dt));
}

// A damped oscillator has a solution: x = x0 e^-dt (cos wt + d/w sin wt).
TEST(OperatorHand, MovesAsTheGripPullsIt) {
  OperatorSpec spec;
  spec.mass = 0.5;
  spec.damping = 0.5;
  spec.grip_stiffness = 300;
  spec.grip_damping = 1.0;
  OperatorHand hand(spec, dt, {});
  const Pose there{{0.01, 0, 0}, Eigen::Quaterniond::Identity()};
  // The target goes there within the first cycle; afterwards it stands.
  hand.advance(Vector6d::Zero(), there);
  const double x0 = hand.place()[0] - 0.01, v0 = hand.speed()[0];
  const double d = 1.5 / (2 * 0.5), w = std::sqrt(300 / 0.5 - d * d);
  for (int n = 1; n <= 500; ++n) {
    hand.advance(Vector6d::Zero(), there);
    const double t = n * dt;
    const double x =
        std::exp(-d * t) * (x0 * std::cos(w * t) + (v0 + d * x0) / w * std::sin(w * t));
    ASSERT_NEAR(hand.place()[0] - 0.01, x, 1e-12);
  }
}

TEST(OperatorHand, SensesInStepsAndGivesNoMoreThanItsForce) {
  OperatorSpec spec = device_alone();
  spec.encoder = 1e-4;
  spec.most_force = 2;
  OperatorHand hand(spec, dt, {});
  Vector6d push = Vector6d::Zero();
  push[1] = 50;
  for (int n = 0; n < 10; ++n) hand.advance(push, {});
  const double y = hand.sensed().position[1] / 1e-4;
  EXPECT_NEAR(y, std::round(y), 1e-9);
  EXPECT_NEAR(hand.speed()[1], 2.0 / spec.mass * 0.01, 1e-4);  // not 50 N
}

// A wall ten times stiffer than the device bears: without the guard it grows, with it it stays.
TEST(PassivityGuard, KeepsAStiffWallFromGrowing) {
  const auto largest = [](bool guarded, double K) {
    OperatorSpec spec = device_alone();
    spec.mass = 0.2;
    spec.grip_stiffness = 100;
    spec.grip_damping = 1;
    spec.most_force = 50;
    OperatorHand hand(spec, dt, {});
    PassivityGuard guard({.store = 0.01, .device_damping = spec.damping}, dt);
    const Pose into{{-0.01, 0, 0}, Eigen::Quaterniond::Identity()};
    double late = 0;
    Vector6d before = Vector6d::Zero();
    for (int n = 0; n < 20000; ++n) {
      const double x = hand.sensed().position[0];
      Vector6d f = Vector6d::Zero();
      if (x < 0) f[0] = -K * x;
      const Vector6d now = hand.place();
      if (guarded) f = guard.render(f, now - before);
      before = now;
      hand.advance(f, into);
      if (n > 15000) late = std::max(late, std::abs(hand.speed()[0]));
    }
    return late;
  };
  for (const double K : {20000.0, 1e5}) {
    EXPECT_GT(largest(false, K), 0.1) << K;
    EXPECT_LT(largest(true, K), 0.07) << K;
  }
}

TEST(PassivityGuard, LetsAPassiveSpringThrough) {
  OperatorSpec spec;
  OperatorHand hand(spec, dt, {});
  PassivityGuard guard({.store = 1, .device_damping = 1}, dt);
  Vector6d before = Vector6d::Zero();
  double off = 0;
  for (int n = 0; n < 5000; ++n) {
    Pose intended;
    intended.position[0] = 0.02 * std::sin(0.004 * n);
    Vector6d f = Vector6d::Zero();
    f[0] = -300 * hand.sensed().position[0];
    const Vector6d sent = guard.render(f, hand.place() - before);
    before = hand.place();
    off = std::max(off, (sent - f).norm());
    hand.advance(sent, intended);
  }
  EXPECT_LT(off, 0.05);  // of 3 N and more
}

TEST(PassivityGuard, CountsTheWorkOfTheHandAndAllocatesNothing) {
  PassivityGuard guard({.store = 100, .device_damping = 1, .creep = 1e9}, dt);
  Vector6d way = Vector6d::Zero(), f = Vector6d::Zero();
  test::AllocationCounter counter;
  for (int n = 0; n < 100; ++n) {
    guard.render(f, way);
    way[2] = 1e-3;
    f[2] = -0.5 * n;  // against the way
  }
  EXPECT_EQ(counter.count(), 0);
  // The force of cycle n acts along the way to cycle n + 1; the device's damping takes 1 mJ a cycle.
  double expected = 99 * 1e-3 + 100 * 5e-7;
  for (int n = 0; n + 2 < 100; ++n) expected += 0.5 * n * 1e-3;
  EXPECT_NEAR(guard.energy(), expected, 1e-9);
}

TEST(PassivityGuard, CountsTheWorkOfWhatWasRenderedInItsPlace) {
  constexpr double power = 5e-4;
  PassivityGuard guard({.store = 100, .device_damping = 1, .creep = 1e9, .power = power}, dt);
  Vector6d way = Vector6d::Zero(), f = Vector6d::Zero();
  way[2] = 1e-3;
  f[2] = -4;
  f[5] = -0.2;
  guard.render(f, way);
  const double before = guard.energy();
  const Vector6d given = guard.render(f, way);
  guard.sent(0.25 * given);
  const double at_given = guard.energy();
  EXPECT_GT(at_given, before);
  guard.render(f, way);
  EXPECT_NEAR(guard.energy() - at_given, -0.25 * given.dot(way) + 1e-3 + power * dt, 1e-12);
}

TEST(OperatorHand, RefusesWhatNoHandHas) {
  OperatorSpec spec;
  spec.mass = 0;
  EXPECT_THROW(OperatorHand(spec, dt, {}), Error);
  spec = {};
  spec.delay = 16;
  EXPECT_THROW(OperatorHand(spec, dt, {}), Error);
  EXPECT_THROW(PassivityGuard({.store = std::nan("")}, dt), Error);
}

}  // namespace
}  // namespace pliant
