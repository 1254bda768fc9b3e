// SPDX-License-Identifier: MIT
// A body that meets others by its distances in many states.
#include <cmath>

#include <gmock/gmock.h>

#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"
#include "world/meeting.hpp"

namespace pliant {
namespace {

using test::AllocationCounter;
using test::error_of;
using test::Meeting;
using testing::HasSubstr;

// A ball that stands where the end of a rubber beam would be.
std::string scene_text(const std::string& contact,
                       const std::string& engine =
                           "kind = \"vademecum\", load = 30, levels = 4, "
                           "direction = [0, -1, 0], shapes = 16") {
  return "gravity = [0, 0, 0]\n[material.rubber]\nyoung = 1e6\npoisson = 0.4\ndensity = 1000\n"
         "[body.beam]\nmesh = { model = \"cantilever\", parameters = { length = 0.4, height = "
         "0.05, "
         "width = 0.05 } }\nmeshing = { kind = \"voxels\", resolution = 16 }\n"
         "material = \"rubber\"\n"
         "fixed = [{ kind = \"plane\", point = [0.001, 0, 0], normal = [1, 0, 0] }]\n"
         "engine = { " +
         engine + " }\ncontact = { resolution = 64, proxies = 60, " + contact +
         " }\n"
         "[body.ball]\nmesh = { model = \"sphere\", parameters = { radius = 0.05 } }\n"
         "pose = { position = [0.36, 0.045, 0] }\nengine = { kind = \"rigid\", motion = \"fixed\" "
         "}\n"
         "contact = { role = \"shell\", resolution = 48, points = 600 }\n";
}
const std::string by_states =
    "role = \"field\", states = { loads = 20, levels = 3, resolution = 40 }";

double end_of(Meeting& meeting) {
  double low = 0;
  const int beam = meeting.body("beam");
  for (int p = 0; p < meeting.world().point_count(beam); ++p) {
    low = std::min(low, meeting.world().position(beam, p)[1]);
  }
  return low;
}

TEST(StatesWorld, ABeamGivesWayToABallThatItMeets) {
  Meeting meeting(scene_text(by_states));
  const WorldState& state = meeting.after(0.3);
  ASSERT_GT(state.contact.contacts, 0);
  const int beam = meeting.body("beam"), ball = meeting.body("ball");
  const Vector3d on_beam = state.bodies[static_cast<std::size_t>(beam)].contact_force,
                 on_ball = state.bodies[static_cast<std::size_t>(ball)].contact_force;
  EXPECT_LT(on_beam[1], -1);
  EXPECT_LT((on_beam + on_ball).norm(), 1e-9 * on_beam.norm());
  for (const ContactState& contact : state.contacts) {
    EXPECT_EQ(contact.shell, ball);
    EXPECT_EQ(contact.field, beam);
  }
  EXPECT_LT(end_of(meeting), -0.04);
  // One of its answers stands for it, and is not far.
  const auto& field = *meeting.world().data().contact.bodies[static_cast<std::size_t>(beam)].field;
  EXPECT_GE(field.domain(0).state().path, 0);
  EXPECT_LT(field.domain(0).state().away, 0.004F);
  // As the field at rest would have it, when it is bent.
  Meeting bent(scene_text("role = \"field\""));
  const Vector3d other = bent.after(0.3).bodies[static_cast<std::size_t>(beam)].contact_force;
  EXPECT_NEAR(end_of(meeting), end_of(bent), 0.002);
  EXPECT_NEAR(on_beam[1], other[1], 0.1 * std::abs(other[1]));
}

// Neither has inertia: each would take the other's last step for a velocity, and both would leap ever
// farther.
TEST(StatesWorld, TwoBodiesWithoutInertiaComeToRest) {
  const auto beam = [](const std::string& name, const std::string& pose, const std::string& role) {
    return "[body." + name +
           "]\nmesh = { model = \"cantilever\", parameters = { length = 0.4, height = 0.05, width "
           "= "
           "0.05 } }\nmeshing = { kind = \"voxels\", resolution = 8 }\nmaterial = \"steel\"\n"
           "fixed = [{ kind = \"plane\", point = [0.001, 0, 0], normal = [1, 0, 0] }]\n"
           "pose = { " +
           pose +
           " }\nengine = { kind = \"vademecum\", load = 1e6, levels = 3, direction = [0, 1, 0], "
           "shapes = 10 }\ncontact = { role = \"" +
           role + "\", resolution = 48, proxies = 40, points = 400 }\n";
  };
  Meeting meeting(
      "gravity = [0, 0, 0]\n[material.steel]\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n" +
      beam("lower", "position = [0, 0, 0]", "field") +
      beam("upper", "position = [0.7, 0.0495, 0], rotation = { axis = [0, 1, 0], degrees = 180 }",
           "shell"));
  const int upper = meeting.body("upper");
  int tip = 0;
  for (int p = 0; p < meeting.world().point_count(upper); ++p) {
    const auto place = [&](int q) { return meeting.world().position(upper, q); };
    if (place(p)[0] - place(p)[1] < place(tip)[0] - place(tip)[1]) tip = p;
  }
  meeting.world().apply(command::Force{0, upper, tip, Vector3d(0, -1e5, 0)});
  const auto force = [&](double seconds) {
    return meeting.after(seconds).bodies[static_cast<std::size_t>(upper)].contact_force[1];
  };
  const double first = force(0.5);
  // It is held nearer to its fixed end than it is pushed, so that more than 10^5 N may be needed.
  EXPECT_GT(first, 2e4);
  EXPECT_LT(first, 2e5);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(force(0.001), first, 0.01 * first);
}

// A block on a beam that is tilted, by the direction of gravity: twice the friction that would just hold
// it holds it, and half of that does not.
TEST(StatesWorld, FrictionHoldsABlockOnABeam) {
  constexpr double tangent = 0.2;
  const auto slid = [&](double friction) {
    Meeting meeting(
        "gravity = [0, 0, 0]\n[contact]\nfriction = " + std::to_string(friction) +
        "\n[material.hard]\nyoung = 1e8\npoisson = 0.3\ndensity = 1000\n"
        "[body.beam]\nmesh = { model = \"cantilever\", parameters = { length = 0.4, height = 0.05, "
        "width = 0.05 } }\nmeshing = { kind = \"voxels\", resolution = 16 }\n"
        "material = \"hard\"\n"
        "fixed = [{ kind = \"plane\", point = [0.001, 0, 0], normal = [1, 0, 0] }]\n"
        "engine = { kind = \"vademecum\", load = 10, levels = 3, direction = [0, -1, 0], shapes = "
        "12 }\ncontact = { resolution = 64, proxies = 60, " +
        by_states +
        " }\n[body.block]\nshape = [{ kind = \"box\", sides = [0.06, 0.03, 0.04] }]\n"
        "pose = { position = [0.1, 0.0399, 0] }\n"
        "engine = { kind = \"rigid\", motion = \"free\" }\n"
        "contact = { role = \"shell\", resolution = 48, points = 400 }\n");
    const double along = 9.81 * tangent / std::hypot(1, tangent);
    meeting.world().apply(command::Gravity{{along, -along / tangent, 0}});
    meeting.after(0.3);
    return meeting.now("block").pose.position[0] - 0.1;
  };
  EXPECT_LT(std::abs(slid(2 * tangent)), 3e-3);
  EXPECT_GT(slid(0.5 * tangent), 1e-2);
}

TEST(StatesWorld, AStepAllocatesNothing) {
  Meeting meeting(scene_text(by_states));
  meeting.after(0.01);
  const AllocationCounter counter;
  const WorldState& state = meeting.after(0.1);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_GT(state.contact.contacts, 0);
}

TEST(StatesWorld, RefusesWhatHasNoStates) {
  const auto made = [](const std::string& text) {
    return error_of([&] { Meeting meeting(text); });
  };
  EXPECT_THAT(made(scene_text(by_states, "kind = \"reduced\", k = 3, r = 3")),
              HasSubstr("this engine does not know its answers to loads"));
  EXPECT_THAT(made(scene_text("role = \"shell\", states = { }")),
              HasSubstr("nobody feels the distance"));
  EXPECT_THAT(made(scene_text("self = true, states = { }")), HasSubstr("either self or states"));
  EXPECT_THAT(made(scene_text("domains = 2, states = { }")), HasSubstr("either these or states"));
  EXPECT_THAT(made(scene_text("push_forward = true, states = { }")),
              HasSubstr("either these or states"));
}

}  // namespace
}  // namespace pliant
