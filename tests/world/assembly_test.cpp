// SPDX-License-Identifier: MIT
// Assembly: parts that fit into each other, touching all around and in many points at once.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "pliant/base/rotation.hpp"
#include "world/meeting.hpp"

namespace pliant {
namespace {

using test::Meeting;

constexpr double pitch = 0.002;

// M16: a bolt that is three turns in its nut. It has 0.16 mm of play along its axis.
class BoltAndNut : public Meeting {
 public:
  explicit BoltAndNut(const std::string& contact = "")
      : Meeting("[contact]\nfriction = 0.15\n" + contact +
                "[body.nut]\nmesh = { model = \"nut\" }\n"
                "engine = { kind = \"rigid\" }\ncontact = { role = \"field\", resolution = 128 }\n"
                "[body.bolt]\nmesh = { model = \"bolt\", parameters = { length = 1.2 } }\n"
                "pose = { position = [0, 0.006, 0] }\n"
                "engine = { kind = \"rigid\", motion = \"free\", density = 7850, damping = 5, "
                "angular_damping = 100 }\n"
                "contact = { role = \"shell\", points = 8000, levels = 4, resolution = 96 }\n") {
    const int bolt = body("bolt");
    // Opposite corners of the head.
    for (int p = 0; p < world().point_count(bolt); ++p) {
      const Vector3d x = world().position(bolt, p);
      if (x[0] > world().position(bolt, right_)[0]) right_ = p;
      if (x[0] < world().position(bolt, left_)[0]) left_ = p;
    }
  }

  // By a couple about y, and a force along it, for one step.
  void push(double torque, double force) {
    const int bolt = body("bolt");
    const Vector3d a = world().position(bolt, right_), b = world().position(bolt, left_);
    const Vector3d arm = a - b;
    const Vector3d across = Vector3d::UnitY().cross(arm).normalized() * torque / arm.norm();
    const Vector3d along = 0.5 * force * Vector3d::UnitY();
    const auto act = [&](int slot, int point, const Vector3d& f) {
      world().apply(command::Force{.slot = static_cast<std::uint8_t>(slot),
                                   .body = bolt,
                                   .point = point,
                                   .force = {f[0], f[1], f[2]}});
    };
    act(0, right_, along + across);
    act(1, left_, along - across);
    const Eigen::Quaterniond before = now("bolt").pose.rotation;
    deepest = std::max(deepest, after(1e-3).contact.deepest);
    turned += rotation_vector(now("bolt").pose.rotation * before.conjugate())[1];
  }
  double height() { return now("bolt").pose.position[1]; }
  double upright() { return (now("bolt").pose.rotation * Vector3d::UnitY())[1]; }

  double turned = 0, deepest = 0;

 private:
  int right_ = 0, left_ = 0;
};

TEST(Assembly, ABoltGoesIntoItsNutByAPitchATurn) {
  BoltAndNut parts;
  for (int i = 0; i < 300; ++i) parts.push(0, 0);
  const double start = parts.height(), angle = parts.turned;
  EXPECT_NEAR(start, 0.006, 2e-4);
  // Clockwise from above.
  int steps = 0;
  while (parts.turned - angle > -2 * std::numbers::pi && ++steps < 6000) parts.push(-2e-3, 0);
  EXPECT_LT(steps, 6000);
  const double turns = (parts.turned - angle) / (2 * std::numbers::pi);
  EXPECT_NEAR(parts.height() - start, turns * pitch, 1e-4);
  // Back out.
  while (parts.turned - angle < 0 && ++steps < 12000) parts.push(2e-3, 0);
  EXPECT_LT(steps, 12000);
  EXPECT_NEAR(parts.height(), start, 2.5e-4);  // now the other flanks bear
  EXPECT_GT(parts.upright(), 0.999);
  EXPECT_LT(parts.deepest, 2e-4);
}

// The thread is held by its friction: what pushes along does not turn it. 20 N are thirty times
// its weight: flanks that bear them are stiffer than what suits a free body.
TEST(Assembly, ABoltDoesNotSlipThroughItsNut) {
  BoltAndNut parts("stiffness = 4e5\n");
  for (int i = 0; i < 200; ++i) parts.push(0, 0);
  const double start = parts.height();
  for (int i = 0; i < 400; ++i) parts.push(0, -20);
  EXPECT_NEAR(parts.height(), start, 2e-4);
  for (int i = 0; i < 400; ++i) parts.push(0, 20);
  EXPECT_NEAR(parts.height(), start, 5e-4);
  EXPECT_LT(std::abs(parts.turned), 0.3);
  EXPECT_GT(parts.upright(), 0.999);
}

// 45 hollow segments around one tool: it comes to rest among them, is borne, and none lets it out.
TEST(Assembly, AToolRestsInAVesselOf45Segments) {
  Meeting meeting(read_scene(PLIANT_SOURCE_DIR "/examples/vessel.toml"));
  EXPECT_EQ(meeting.world().body_count(), 47);
  double deepest = 0;
  int most_pairs = 0;
  for (int i = 0; i < 2500; ++i) {
    const WorldState& state = meeting.after(1e-3);
    deepest = std::max(deepest, state.contact.deepest);
    most_pairs = std::max(most_pairs, state.contact.pairs);
    const Vector3d at = meeting.now("tool").pose.position;
    ASSERT_LT(std::hypot(at[0], at[2]), 0.06) << i;
  }
  EXPECT_GT(most_pairs, 5);
  EXPECT_GT(deepest, 0);
  EXPECT_LT(deepest, 2e-3);
  double mean = 0;
  for (int i = 0; i < 500; ++i) {
    meeting.after(1e-3);
    mean += meeting.now("tool").contact_force[1] / 500;
  }
  const double volume =
      std::numbers::pi * 0.03 * 0.03 * 0.09 + 4.0 / 3 * std::numbers::pi * std::pow(0.03, 3);
  EXPECT_NEAR(mean, 2700 * volume * 9.81, 0.05 * 2700 * volume * 9.81);
}

}  // namespace
}  // namespace pliant
