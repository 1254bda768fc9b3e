// SPDX-License-Identifier: MIT
#include "pliant/haptics/device_port.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/haptics/motion_device.hpp"
#include "pliant/haptics/workspace.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

constexpr double dt = 1e-3;

class Port : public testing::Test {
 protected:
  // A cycle with a fresh sample.
  Vector6d cycle(double force, double speed = 0.0) {
    ++sample.number;
    sample.twist[0] = speed;
    return stale(force);
  }
  Vector6d stale(double force) {
    Vector6d wanted = Vector6d::Zero();
    wanted[0] = force;
    return port.render(&sample, wanted);
  }
  void bring_up(double force = 2.0) {
    for (int n = 0; n < 400; ++n) cycle(force);
  }

  DevicePort port{{}, 8.5, 0.5, dt};
  DeviceSample sample;
};

TEST_F(Port, BringsTheForceOnSlowly) {
  EXPECT_LT(cycle(2.0)[0], 0.02);
  EXPECT_EQ(port.state(), PortState::ramp);
  double last = 0, largest = 0;
  for (int n = 0; n < 400; ++n) {
    const double f = cycle(2.0)[0];
    largest = std::max(largest, f - last);
    last = f;
  }
  EXPECT_EQ(port.state(), PortState::force);
  EXPECT_NEAR(last, 2.0, 1e-12);
  EXPECT_LT(largest, 0.02);
}

// A hand that flies past gets no force before it is calm.
TEST_F(Port, WaitsForACalmHand) {
  for (int n = 0; n < 100; ++n) EXPECT_EQ(cycle(2.0, 1.0)[0], 0.0);
  EXPECT_EQ(port.state(), PortState::idle);
}

TEST_F(Port, IsAtZeroWithinFiveMillisecondsOfTheLastSample) {
  bring_up();
  double f = 2.0;
  int cycles = 0;
  for (; f > 0 && cycles < 100; ++cycles) {
    const double now = stale(50.0)[0];  // whatever the simulation wants
    EXPECT_LE(now, f + (port.state() == PortState::brake ? 0.0 : 3.0));
    f = now;
  }
  EXPECT_LE(cycles, 5);  // 2 of patience, 3 of braking
  EXPECT_EQ(port.fault(), PortFault::no_sample);
  // It comes back by itself.
  bring_up();
  EXPECT_EQ(port.state(), PortState::force);
}

TEST_F(Port, BrakesAtOnceForWhatIsNotANumberOrADeviceThatIsGone) {
  bring_up();
  Vector6d wanted = Vector6d::Constant(std::nan(""));
  ++sample.number;
  const Vector6d out = port.render(&sample, wanted);
  EXPECT_TRUE(out.allFinite());
  EXPECT_EQ(port.fault(), PortFault::not_finite);
  bring_up();
  port.render(nullptr, Vector6d::Zero());
  EXPECT_EQ(port.fault(), PortFault::no_sample);
}

// The force of the gripper comes and goes with the others, within its own limits.
TEST_F(Port, RendersTheGripperInTheSameState) {
  const double most = 4.0;
  EXPECT_EQ(port.render_gripper(3.0, most), 0.0);  // idle
  double last = 0;
  for (int n = 0; n < 400; ++n) {
    cycle(1.0);
    const double f = port.render_gripper(n < 200 ? 100.0 : -1.0, most);
    EXPECT_LE(std::abs(f), most);
    EXPECT_LE(std::abs(f - last), 3000 * dt * most / 8.5 + most * dt / 0.3 + 1e-12);
    last = f;
  }
  EXPECT_NEAR(last, -1.0, 1e-12);
  EXPECT_TRUE(std::isfinite(port.render_gripper(std::nan(""), most)));
  for (int n = 0; n < 5; ++n) {
    stale(1.0);
    last = port.render_gripper(4.0, most);
  }
  EXPECT_EQ(last, 0.0);
}

TEST_F(Port, DoesNotKick) {
  bring_up(0.0);
  // The simulation jumps to its largest force: the change is bounded.
  double last = 0;
  for (int n = 0; n < 20; ++n) {
    const double f = cycle(8.0)[0];
    EXPECT_LE(std::abs(f - last), 3.0 + 1e-9);
    EXPECT_LE(f, 8.5);
    last = f;
  }
  // A force that drives the device along ends.
  int cycles = 0;
  while (port.state() == PortState::force && cycles < 1000) {
    cycle(8.0, 1.0);
    ++cycles;
  }
  EXPECT_LT(cycles, 200);
  EXPECT_EQ(port.fault(), PortFault::too_much_impulse);
  bring_up();
  cycle(1.0, 4.0);
  EXPECT_EQ(port.fault(), PortFault::too_fast);
}

// Anything that a bad simulation and a bad device can do: never above the limit, never a jump.
TEST_F(Port, IsSafeWhateverComes) {
  Random random(9);
  Vector6d last = Vector6d::Zero();
  test::AllocationCounter counter;
  for (int n = 0; n < 200000; ++n) {
    Vector6d wanted;
    for (double& w : wanted) w = 20 * random.normal();
    if (random.below(5000) == 0) wanted[2] = std::nan("");
    if (random.below(50) != 0) ++sample.number;
    for (double& t : sample.twist) t = 0.5 * random.normal();
    const bool gone = random.below(3000) == 0;
    const Vector6d out = port.render(gone ? nullptr : &sample, wanted);
    ASSERT_TRUE(out.allFinite());
    ASSERT_LE(out.head<3>().norm(), 8.5 * (1 + 1e-12));
    ASSERT_LE(out.tail<3>().norm(), 0.5 * (1 + 1e-12));
    // A change of 3 N a cycle, or a third of the largest force while it brakes.
    ASSERT_LE((out - last).head<3>().norm(), 3.0 + 8.5 / 300 + 1e-9) << n;
    last = out;
  }
  EXPECT_EQ(counter.count(), 0);
}

TEST(Workspace, NeverJumps) {
  const Pose start{{1, 2, 3}, rotation_by({0.2, 0, 0})};
  Workspace space(5.0, rotation_by({0, 0, 1.5}), start);
  Pose device{{0.1, 0, 0}, rotation_by({0, 0.3, 0})};
  EXPECT_LT((space.follow(device).position - start.position).norm(), 1e-15);
  device.position += Vector3d(0.01, 0, 0);
  EXPECT_NEAR((space.follow(device).position - start.position).norm(), 0.05, 1e-12);
  const Pose there = space.hand();

  space.set_indexing(true);
  device.position += Vector3d(0.2, 0.1, 0);
  device.rotation = rotation_by({1, 1, 0});
  EXPECT_EQ(space.follow(device).position, there.position);
  space.set_indexing(false);
  EXPECT_LT((space.follow(device).position - there.position).norm(), 1e-15);
  space.set_scale(0.5);
  EXPECT_LT((space.follow(device).position - there.position).norm(), 1e-15);
  device.position += Vector3d(0, 0.01, 0);
  EXPECT_NEAR((space.follow(device).position - there.position).norm(), 0.005, 1e-12);
  EXPECT_LT(rotation_vector(space.hand().rotation * there.rotation.conjugate()).norm(), 1e-12);
}

// Work is the same on both sides of the mapping, but for the scale.
TEST(Workspace, TurnsForcesBack) {
  Workspace space(1.0, rotation_by({0.3, -0.8, 0.4}), {});
  Pose device;
  space.follow(device);
  device.position = {0.01, -0.02, 0.03};
  const Vector3d moved = space.follow(device).position;
  const Vector6d f = (Vector6d() << 1, 2, 3, 0, 0, 0).finished();
  EXPECT_NEAR(space.to_device(f).head<3>().dot(device.position), f.head<3>().dot(moved), 1e-14);
}

TEST(HandTrajectory, ReadsAndInterpolatesLines) {
  const HandTrajectory t = HandTrajectory::read(
      "time,x,y,z,qw,qx,qy,qz,buttons,gripper\n"
      "0,0,0,0,1,0,0,0,0,0\n"
      "2,1,0,0,0,0,0,1,3,1\n",
      "way.csv");
  const HandPoint p = t.at(1.0);
  EXPECT_NEAR(p.pose.position[0], 0.5, 1e-15);
  EXPECT_NEAR(rotation_vector(p.pose.rotation).norm(), 0.5 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(p.gripper, 0.5, 1e-15);
  EXPECT_EQ(t.at(2.5).buttons, 3u);
  EXPECT_EQ(HandTrajectory::read("0,1,2,3\n", "a").at(9).pose.position[2], 3);
}

TEST(HandTrajectory, SaysWhatIsWrongAndWhere) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      HandTrajectory::read(text, "way.csv");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("0,0,0,0\n1,0,0\n").find("way.csv:2"), std::string::npos);
  EXPECT_NE(message("0,0,0,0\n0,1,0,0\n").find("ascend"), std::string::npos);
  EXPECT_NE(message("0,0,0,nan\n").find("way.csv:1"), std::string::npos);
  EXPECT_NE(message("0,0,0,0,0,0,0,0\n").find("way.csv:1"), std::string::npos);
  EXPECT_NE(message("").find("no points"), std::string::npos);
  EXPECT_NE(message("time,x\nhello\n").find("way.csv:2"), std::string::npos);
}

TEST(HandRule, StartsWhereTheHandIsAndStaysWithinItsSize) {
  for (const auto kind : {HandRule::Kind::circle, HandRule::Kind::poke, HandRule::Kind::sweep,
                          HandRule::Kind::shake}) {
    const HandRule rule{.kind = kind, .size = 0.03, .period = 1.5, .angle = 0.2};
    EXPECT_LT(rule.at(0).pose.position.norm(), 1e-12);
    double largest = 0;
    for (double t = 0; t < 10; t += 0.01) {
      largest = std::max(largest, rule.at(t).pose.position.norm());
      EXPECT_LE(rotation_vector(rule.at(t).pose.rotation).norm(), 0.2 + 1e-12);
    }
    EXPECT_GT(largest, 0.025);
    EXPECT_LE(largest, 0.061);
  }
}

TEST(OperatorDevice, FeelsWhatIsRendered) {
  OperatorSpec spec;
  OperatorDevice device(spec, HandRule{.direction = Vector3d::UnitX(), .size = 0.0}, dt);
  DeviceSample sample;
  DeviceForce push;
  push.wrench[0] = 2.0;
  for (int n = 0; n < 2000; ++n) {
    ASSERT_TRUE(device.read(sample));
    device.write(push);
  }
  EXPECT_NEAR(sample.pose.position[0], 2.0 / spec.grip_stiffness, 1e-4);
  EXPECT_EQ(sample.number, 2000u);
}

}  // namespace
}  // namespace pliant
