// SPDX-License-Identifier: MIT
// Scenes whose bodies meet by constraints.
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "pliant/base/error.hpp"
#include "world/meeting.hpp"

namespace pliant {
namespace {

using test::floor_text;
using test::jelly_material;
using test::Meeting;
using testing::HasSubstr;

// Every node of which moves.
std::string cube_text(const std::string& name, const Vector3d& place, bool held = false,
                      const std::string& engine = "integrator = { kind = \"explicit\" }",
                      const std::string& more = "") {
  return test::cube_text(name, place, held, 3,
                         "kind = \"full\", " + engine + ", damping = { alpha = 4 }",
                         "method = \"constraint\", resolution = 32, points = 200") +
         more;
}

double lowest(Meeting& meeting, const std::string& name) {
  double low = 1;
  for (int p = 0; p < meeting.world().point_count(meeting.body(name)); ++p) {
    low = std::min(low, meeting.world().position(meeting.body(name), p)[1]);
  }
  return low;
}

// Without friction what is soft slides off what is soft.
const std::string rubbing = "[contact]\nfriction = 0.5\n";

constexpr double weight = 0.008 * 1000 * 9.81;

TEST(ConstraintWorld, ACubeComesToRestOnTheFloorAndIsTold) {
  Meeting meeting(jelly_material + floor_text + cube_text("cube", {0, 0.11, 0}));
  meeting.after(2);
  const int cube = meeting.body("cube"), floor = meeting.body("floor");
  double mean = 0;
  int told = 0;
  for (int i = 0; i < 500; ++i) {
    const WorldState& state = meeting.after(1e-3);
    const Vector3d on_cube = state.bodies[static_cast<std::size_t>(cube)].contact_force;
    mean += on_cube[1] / 500;
    EXPECT_LT((on_cube + state.bodies[static_cast<std::size_t>(floor)].contact_force).norm(), 1e-9);
    Vector3d sum = Vector3d::Zero();
    for (const ContactState& contact : state.contacts) {
      EXPECT_EQ(contact.shell, cube);
      EXPECT_EQ(contact.field, floor);
      EXPECT_GT(contact.normal[1], 0.99);
      sum += contact.force;
      ++told;
    }
    EXPECT_LT((sum - on_cube).norm(), 1e-9 * (1 + on_cube.norm()));
    EXPECT_EQ(state.contact.contacts, static_cast<int>(state.contacts.size()));
  }
  EXPECT_GT(told, 100);
  EXPECT_NEAR(mean, weight, 0.02 * weight);
  EXPECT_GT(lowest(meeting, "cube"), -1e-3);
  EXPECT_LT(lowest(meeting, "cube"), 1e-3);
}

// What lies on the cube is borne by it, and stays.
TEST(ConstraintWorld, ARigidPlateRestsOnACube) {
  Meeting meeting(rubbing + jelly_material + cube_text("cube", {0, 0.1, 0}, true) +
                  "[body.plate]\nshape = [{ kind = \"box\", sides = [0.3, 0.02, 0.3] }]\n"
                  "pose = { position = [0, 0.215, 0] }\n"
                  "engine = { kind = \"rigid\", motion = \"free\", mass = 3, damping = 2, "
                  "angular_damping = 2 }\ncontact = { role = \"field\" }\n");
  meeting.after(1.5);
  double mean = 0;
  for (int i = 0; i < 500; ++i) {
    meeting.after(1e-3);
    mean += meeting.now("plate").contact_force[1] / 500;
  }
  EXPECT_NEAR(mean, 3 * 9.81, 0.03 * 3 * 9.81);
  EXPECT_NEAR(meeting.now("plate").pose.position[1], 0.21, 0.006);
  EXPECT_GT((meeting.now("plate").pose.rotation * Vector3d::UnitY())[1], 0.999);
}

TEST(ConstraintWorld, TwoCubesDoNotPassThroughEachOther) {
  Meeting meeting(rubbing + jelly_material + cube_text("lower", {0, 0.1, 0}, true) +
                  cube_text("upper", {0.013, 0.31, 0.017}));
  const int upper = meeting.body("upper");
  const auto middle = [&] {
    const int points = meeting.world().point_count(upper);
    double sum = 0;
    for (int p = 0; p < points; ++p) sum += meeting.world().position(upper, p)[1];
    return sum / points;
  };
  for (int i = 0; i < 1500; ++i) {
    ASSERT_LT(meeting.after(1e-3).contact.deepest, 3e-3) << i;
    ASSERT_GT(middle(), 0.27) << i;
  }
  double mean = 0;
  for (int i = 0; i < 300; ++i) {
    EXPECT_LT(meeting.after(1e-3).contact.deepest, 3e-3);
    mean += meeting.now("upper").contact_force[1] / 300;
    EXPECT_LT((meeting.now("upper").contact_force + meeting.now("lower").contact_force).norm(),
              1e-9 * weight);
  }
  EXPECT_NEAR(mean, weight, 0.05 * weight);
  // It creeps by some cm/s, whatever the friction, and by now leans over the edge.
  EXPECT_NEAR(middle(), 0.285, 0.015);
}

TEST(ConstraintWorld, FrictionHoldsACubeOnASlope) {
  constexpr double slope = 20 * std::numbers::pi / 180;
  const auto slid = [&](const std::string& friction) {
    Meeting meeting("[contact]\nfriction = " + friction + "\n" + jelly_material + floor_text +
                    cube_text("cube", {0, 0.1001, 0}));
    meeting.world().apply(command::Gravity{{9.81 * std::sin(slope), -9.81 * std::cos(slope), 0}});
    const int cube = meeting.body("cube");
    meeting.after(0.3);
    const double start = meeting.world().position(cube, 0)[0];
    meeting.after(0.5);
    return meeting.world().position(cube, 0)[0] - start;
  };
  EXPECT_LT(std::abs(slid("0.6")), 0.005);
  EXPECT_GT(slid("0.1"), 0.1);
}

TEST(ConstraintWorld, StartsAgainAndGivesTheSameBits) {
  Meeting meeting(jelly_material + floor_text + cube_text("cube", {0, 0.11, 0}));
  meeting.after(0.2);
  const VectorXf first = meeting.now("cube").c;
  meeting.world().apply(command::Reset{});
  EXPECT_TRUE(meeting.now("cube").contact_force.isZero(0.0));
  meeting.after(0.2);
  EXPECT_EQ(meeting.now("cube").c, first);
}

std::string error_of(const std::string& text) {
  try {
    Meeting meeting(jelly_material + floor_text + text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ConstraintWorld, MistakesAreSaid) {
  EXPECT_THAT(
      error_of(cube_text("cube", {0, 0.1, 0}, false, "integrator = { kind = \"implicit\" }")),
      HasSubstr("explicit"));
  EXPECT_THAT(error_of(cube_text("cube", {0, 0.1, 0}, false, "integrator = { kind = \"explicit\" }",
                                 "rate = 100\n")),
              HasSubstr("rate"));
  EXPECT_THAT(error_of("[body.ball]\nshape = [{ kind = \"sphere\" }]\n"
                       "contact = { method = \"constraint\" }\n"),
              HasSubstr("every node"));
}

}  // namespace
}  // namespace pliant
