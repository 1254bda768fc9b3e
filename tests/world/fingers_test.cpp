// SPDX-License-Identifier: MIT
// A hand of several bodies on one whose collisions are constraints: [Zhuang00] 5.4.1.
#include <cmath>

#include <gmock/gmock.h>

#include "pliant/base/error.hpp"
#include "world/meeting.hpp"

namespace pliant {
namespace {

using test::jelly_material;
using test::Meeting;
using testing::HasSubstr;

// A cube of 0.2 m that is held below, every node of which moves.
const std::string cube = test::cube_text("cube", {0, 0.1, 0}, true, 4,
                                         "kind = \"full\", integrator = { kind = \"explicit\" }, "
                                         "damping = { alpha = 20 }",
                                         "method = \"constraint\", resolution = 32, points = 200");

std::string plate_text(const std::string& name, double x) {
  return "[body." + name +
         "]\nshape = [{ kind = \"box\", sides = [0.02, 0.12, 0.12] }]\npose = { position = [" +
         std::to_string(x) +
         ", 0.12, 0] }\nengine = { kind = \"rigid\", motion = \"free\", mass = 0.2 }\n"
         "contact = { role = \"field\" }\n";
}

// Two plates, one on each side, 10 mm from the cube, which close by 30 mm each.
std::string pinching(const std::string& handle = "") {
  return "gravity = [0, 0, 0]\n[contact]\nfriction = 0.5\n" + jelly_material + cube +
         plate_text("left", -0.12) + plate_text("right", 0.12) +
         "[body.palm]\nshape = [{ kind = \"sphere\", radius = 0.02 }]\n"
         "pose = { position = [0, 0.3, 0] }\nengine = { kind = \"rigid\", motion = \"kinematic\" "
         "}\n"
         "contact = { role = \"none\" }\n"
         "[handle]\nbody = \"palm\"\nstiffness = 800\nmost_force = 40\ntorque_stiffness = 40\n"
         "fingers = [{ body = \"left\", closing = [0.03, 0, 0] }, "
         "{ body = \"right\", closing = [-0.03, 0, 0] }]\n" +
         handle + "[device]\nkind = \"viewer\"\n";
}

struct Felt {
  Vector6d hand = Vector6d::Zero();
  double gripper = 0;
  Vector3d left = Vector3d::Zero(), right = Vector3d::Zero();  // of the cube on the plates [N]
};

// The mean over a while.
Felt felt_over(Meeting& meeting, int steps) {
  Felt mean;
  for (int n = 0; n < steps; ++n) {
    const WorldState& state = meeting.after(1e-3);
    mean.hand += state.hold.felt.on_hand / steps;
    mean.gripper += meeting.world().data().hold.gripper_force / steps;
    mean.left += meeting.now("left").contact_force / steps;
    mean.right += meeting.now("right").contact_force / steps;
  }
  return mean;
}

TEST(Fingers, PinchABodyAndTheGripperFeelsWhatTheyPress) {
  Meeting meeting(pinching());
  const Felt open = felt_over(meeting, 100);
  EXPECT_LT(open.hand.norm(), 1e-9);
  EXPECT_LT(std::abs(open.gripper), 1e-9);

  ASSERT_EQ(meeting.world().apply(command::Grip{0.0}), Refusal::none);
  meeting.after(2);
  const Felt closed = felt_over(meeting, 500);
  EXPECT_LT(closed.left[0], -1);  // pressed apart
  EXPECT_GT(closed.right[0], 1);
  const double pressed = closed.right[0] - closed.left[0];
  EXPECT_NEAR(closed.gripper, pressed, 0.03 * pressed);
  EXPECT_LT(closed.hand.head<3>().norm(), 0.03 * pressed);  // one against the other
  EXPECT_NEAR(meeting.now("right").pose.position[0], -meeting.now("left").pose.position[0], 1e-3);

  ASSERT_EQ(meeting.world().apply(command::Grip{1.0}), Refusal::none);
  meeting.after(1);
  EXPECT_NEAR(meeting.now("left").pose.position[0], -0.12, 1e-3);
  EXPECT_LT(std::abs(felt_over(meeting, 50).gripper), 0.02 * pressed);
}

// The hand that pulls at what it pinches feels the friction, which is at most mu times what presses.
TEST(Fingers, TheHandFeelsFriction) {
  Meeting meeting(pinching());
  meeting.world().apply(command::Grip{0.0});
  meeting.after(1.5);
  const double pressed = felt_over(meeting, 300).gripper;
  const auto pulled = [&](double z) {
    meeting.world().apply(command::Handle{{0, 0.3, z}, {1, 0, 0, 0}});
    meeting.after(1.5);
    return felt_over(meeting, 300);
  };
  const Felt little = pulled(0.004);
  EXPECT_LT(little.hand[2], -0.05);  // back
  const double on_plates = little.left[2] + little.right[2];
  EXPECT_NEAR(little.hand[2], on_plates, 0.1 * std::abs(on_plates));
  EXPECT_LT(std::abs(on_plates), 0.5 * pressed * 1.05);
  const Felt much = pulled(0.06);
  EXPECT_LT(std::abs(much.left[2] + much.right[2]), 0.5 * 1.3 * pressed);
  EXPECT_GT(meeting.now("left").pose.position[2], 0.02);  // it slid
}

// One proxy that dynamics move: what presses it is what the hand feels.
TEST(Fingers, OneProxyFeelsTheEquivalentForce) {
  Meeting meeting("gravity = [0, 0, 0]\n" + jelly_material + cube + plate_text("proxy", 0.12) +
                  "[handle]\nbody = \"proxy\"\nstiffness = 800\nmost_force = 40\n"
                  "torque_stiffness = 40\n[device]\nkind = \"viewer\"\n");
  meeting.world().apply(command::Handle{{0.09, 0.12, 0}, {1, 0, 0, 0}});
  meeting.after(2);
  double felt = 0, given = 0;
  for (int n = 0; n < 500; ++n) {
    const WorldState& state = meeting.after(1e-3);
    felt += state.hold.felt.on_hand[0] / 500;
    given += meeting.now("proxy").contact_force[0] / 500;
  }
  EXPECT_GT(felt, 1);
  EXPECT_NEAR(felt, given, 0.03 * given);
  // Between the hand and the cube as it was, which yields.
  const double x = meeting.now("proxy").pose.position[0];
  EXPECT_GT(x, 0.09);
  EXPECT_LT(x, 0.11);
}

TEST(Fingers, StartAgainAndGiveTheSameBits) {
  Meeting meeting(pinching());
  const auto run = [&] {
    meeting.world().apply(command::Reset{});
    meeting.world().apply(command::Grip{0.2});
    meeting.after(0.4);
    return Vector3d(meeting.now("left").pose.position);
  };
  const Vector3d first = run();
  EXPECT_EQ(first, run());
}

TEST(Fingers, MistakesAreSaid) {
  Meeting meeting(pinching());
  EXPECT_EQ(meeting.world().apply(command::Grip{1.5}), Refusal::out_of_range);
  EXPECT_EQ(meeting.world().apply(command::Grip{NAN}), Refusal::out_of_range);
  const auto problem = [](const std::string& text) -> std::string {
    try {
      Meeting failing(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  std::string twice = pinching();
  twice.replace(twice.find("body = \"right\""), 14, "body = \"left\"");
  EXPECT_THAT(problem(twice), HasSubstr("the hand has this body already"));
  std::string unknown = pinching();
  unknown.replace(unknown.find("body = \"right\""), 14, "body = \"ringt\"");
  EXPECT_THAT(problem(unknown), HasSubstr("ringt"));
  std::string held = pinching();
  held.replace(held.find("body = \"right\""), 14, "body = \"cube\"");
  EXPECT_THAT(problem(held), HasSubstr("it cannot move this body"));
  EXPECT_THAT(problem("gravity = [0, 0, 0]\n" + plate_text("left", 0) +
                      "[handle]\nbody = \"left\"\nspeed = 1\n[device]\nkind = \"viewer\"\n"),
              HasSubstr("it has no effect on a body that moves by itself"));
}

}  // namespace
}  // namespace pliant
