// SPDX-License-Identifier: MIT
// Bodies of a scene that meet.
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "pliant/base/error.hpp"
#include "pliant/world/recording/recording.hpp"
#include "support/allocation_counter.hpp"
#include "world/meeting.hpp"

namespace pliant {
namespace {

using test::AllocationCounter;
using test::ball_text;
using test::floor_text;
using test::jelly_material;
using test::jelly_text;
using test::Meeting;
using test::TemporaryFolder;
using testing::HasSubstr;

TEST(ContactWorld, ABallFallsOnTheFloorAndStaysThere) {
  Meeting meeting(floor_text + ball_text(0.05));
  EXPECT_EQ(meeting.after(0.05).contact.contacts, 0);
  meeting.after(2);
  // It may roll: what the floor bears is the weight and what changes its momentum (1 kg, 1 s), and it
  // neither sinks nor hops.
  const auto height = [&] { return meeting.now("ball").pose.position[1]; };
  const auto speed = [&] {
    const double before = height();
    meeting.after(1e-3);
    return 1e3 * (height() - before);
  };
  const double first = speed();
  double mean = 0;
  for (int i = 0; i < 1000; ++i) {
    meeting.after(1e-3);
    mean += meeting.now("ball").contact_force[1] / 1000;
    EXPECT_NEAR(height(), 0.1, 1e-3);
  }
  EXPECT_NEAR(mean - (speed() - first), 9.81, 0.01 * 9.81);
}

TEST(ContactWorld, ForcesAreOppositeAndTold) {
  Meeting meeting(floor_text + ball_text(0.0));
  const WorldState& state = meeting.after(1);
  ASSERT_GT(state.contact.contacts, 0);
  ASSERT_FALSE(state.contacts.empty());
  const int ball = meeting.body("ball"), floor = meeting.body("floor");
  Vector3d sum = Vector3d::Zero();
  for (const ContactState& contact : state.contacts) {
    EXPECT_EQ(contact.shell, ball);
    EXPECT_EQ(contact.field, floor);
    EXPECT_GT(contact.depth, 0);
    EXPECT_NEAR(contact.place[1], -contact.depth, 1e-6);
    EXPECT_GT(contact.normal[1], 0.9);  // into the ball
    sum += contact.force;
  }
  const auto& bodies = state.bodies;
  const Vector3d on_ball = bodies[static_cast<std::size_t>(ball)].contact_force;
  EXPECT_LT((sum - on_ball).norm(), 1e-9 * on_ball.norm());
  EXPECT_LT((on_ball + bodies[static_cast<std::size_t>(floor)].contact_force).norm(), 1e-9);
  EXPECT_GT(state.contact.deepest, 0);
}

TEST(ContactWorld, AStepAllocatesNothing) {
  Meeting meeting(jelly_material + floor_text + ball_text(0.25) +
                  jelly_text("jelly", {0, 0.1, 0}, false));
  meeting.after(0.3);  // until the ball has reached the jelly
  const AllocationCounter counter;
  const WorldState& state = meeting.after(0.3);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_GT(state.contact.contacts, 0);
  EXPECT_EQ(state.fault.status, StepStatus::ok);
}

TEST(ContactWorld, TheSameBitsAgainAndAfterReset) {
  const std::string text =
      jelly_material + floor_text + ball_text(0.22) + jelly_text("jelly", {0, 0.1, 0}, false);
  Meeting one(text), two(text);
  const WorldState first = one.after(0.5), second = two.after(0.5);
  EXPECT_GT(first.contact.contacts, 0);
  one.world().apply(command::Reset{});
  EXPECT_TRUE(one.now("ball").contact_force.isZero(0.0));
  const WorldState again = one.after(0.5);
  for (std::size_t b = 0; b < first.bodies.size(); ++b) {
    for (const WorldState* other : {&second, &again}) {
      EXPECT_EQ(first.bodies[b].pose.position, other->bodies[b].pose.position);
      EXPECT_EQ(first.bodies[b].c, other->bodies[b].c);
    }
  }
}

// A body of jelly that nothing holds, on the floor: its corners yield, and it comes to rest.
TEST(ContactWorld, AFreeJellyComesToRestAndStays) {
  Meeting meeting(jelly_material + floor_text + jelly_text("jelly", {0, 0.12, 0}, false));
  meeting.after(3);
  const BodyState& jelly = meeting.now("jelly");
  const double weight = 0.008 * 1000 * 9.81;
  EXPECT_NEAR(jelly.contact_force[1], weight, 0.02 * weight);
  EXPECT_LT(jelly.energy.kinetic, 1e-4);
  EXPECT_NEAR(jelly.pose.position[1], 0.1, 0.01);
  const Vector3d rest = jelly.pose.position;
  meeting.after(1);
  EXPECT_LT(std::abs(meeting.now("jelly").pose.position[1] - rest[1]), 1e-4);
}

// The field of the lower one is bent with it, the points of the upper one move.
TEST(ContactWorld, OneJellyLandsOnAnother) {
  Meeting meeting(jelly_material + jelly_text("lower", {0, 0.1, 0}, true) +
                  jelly_text("upper", {0, 0.305, 0}, false));
  meeting.after(0.7);
  const double weight = 0.008 * 1000 * 9.81;
  const Vector3d up = meeting.now("upper").contact_force;
  EXPECT_NEAR(up[1], weight, 0.1 * weight);
  EXPECT_LT((up + meeting.now("lower").contact_force).norm(), 1e-9 * weight);
  EXPECT_NEAR(meeting.now("upper").pose.position[1], 0.3, 0.03);
  EXPECT_GT(meeting.now("lower").c.norm(), 0);
}

// A chair has legs that would mirror each other: its field is bent in parts, each by itself.
TEST(ContactWorld, AFieldInDomainsBearsWhatLiesOnIt) {
  const auto chair = [](const std::string& contact) {
    return "[material.plastic]\nyoung = 4e6\npoisson = 0.4\ndensity = 900\n"
           "[body.chair]\nmesh = { model = \"chair\" }\nmaterial = \"plastic\"\n"
           "meshing = { kind = \"voxels\", resolution = 24, keep_largest = true }\n"
           "fixed = [{ kind = \"plane\", point = [0, 0.02, 0], normal = [0, 1, 0] }]\n"
           "engine = { kind = \"reduced\", k = 6, r = 12, damping = { alpha = 1, beta = 2e-3 } }\n"
           "contact = { role = \"field\", resolution = 96, " +
           contact + " }\n[contact]\nfriction = 0.5\n" + ball_text(0.485);
  };
  Meeting meeting(chair("domains = 4"));
  EXPECT_TRUE(meeting.asset().contains("chair/domains/1/field/cells"));
  meeting.after(1.0);
  const AllocationCounter counter;
  meeting.after(0.2);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_NEAR(meeting.now("ball").contact_force[1], 9.81, 0.05 * 9.81);
  EXPECT_LT((meeting.now("ball").contact_force + meeting.now("chair").contact_force).norm(), 1e-9);
  // As in one field: what it lies on is one part.
  Meeting whole(chair("domains = 1"));
  EXPECT_FALSE(whole.asset().contains("chair/domains/0/field/cells"));
  whole.after(1.2);
  EXPECT_LT((whole.now("ball").pose.position - meeting.now("ball").pose.position).norm(), 5e-3);
  EXPECT_LT((whole.now("chair").c - meeting.now("chair").c).norm(),
            0.1F * whole.now("chair").c.norm());
}

// Every node of the upper one moves for itself.
TEST(ContactWorld, ABodyWhoseNodesAllMoveLandsOnTheFloor) {
  std::string text = jelly_material + floor_text + jelly_text("jelly", {0, 0.101, 0}, false);
  const std::string reduced = "{ kind = \"reduced\", k = 6, r = 12, ";
  text.replace(text.find(reduced), reduced.size(),
               "{ kind = \"full\", integrator = { kind = \"implicit\" }, ");
  Meeting meeting(text);
  meeting.after(0.5);
  const double weight = 0.008 * 1000 * 9.81;
  double mean = 0;
  for (int i = 0; i < 300; ++i) {
    meeting.after(1e-3);
    mean += meeting.now("jelly").contact_force[1] / 300;
  }
  EXPECT_NEAR(mean, weight, 0.1 * weight);
  double lowest = 1;
  for (int p = 0; p < meeting.world().point_count(meeting.body("jelly")); ++p) {
    lowest = std::min(lowest, meeting.world().position(meeting.body("jelly"), p)[1]);
  }
  EXPECT_GT(lowest, -0.01);
  EXPECT_LT(lowest, 0.001);
}

TEST(ContactWorld, APulledBodyPushesAnother) {
  const std::string box =
      "shape = [{ kind = \"box\", sides = [0.1, 0.1, 0.1] }]\n"
      "engine = { kind = \"rigid\", motion = \"free\", mass = 1, damping = 1 }\n"
      "contact = { resolution = 48, points = 1000 }\n";
  Meeting meeting("gravity = [0, 0, 0]\n[body.left]\npose = { position = [-0.11, 0, 0] }\n" + box +
                  "[body.right]\n" + box);
  const int left = meeting.body("left");
  int face = 0;
  for (int p = 0; p < meeting.world().point_count(left); ++p) {
    if (meeting.world().position(left, p)[0] < meeting.world().position(left, face)[0]) face = p;
  }
  // A steady force at the middle of a side cannot be had of eight corners: two hands at two of them.
  const auto across = [&](int p, int q) {
    const Vector3d a = meeting.world().position(left, p), b = meeting.world().position(left, q);
    return a[0] < -0.15 && b[0] < -0.15 && a[1] * b[1] < 0 && a[2] * b[2] < 0;
  };
  int other = -1;
  for (int p = 0; p < meeting.world().point_count(left); ++p) {
    if (across(face, p)) other = p;
  }
  ASSERT_GE(other, 0);
  meeting.world().apply(
      command::Force{.slot = 0, .body = left, .point = face, .force = {0.5, 0, 0}});
  meeting.world().apply(
      command::Force{.slot = 1, .body = left, .point = other, .force = {0.5, 0, 0}});
  meeting.after(0.5);
  EXPECT_GT(meeting.now("right").pose.position[0], 0.02);
  EXPECT_GT(meeting.now("right").pose.position[0] - meeting.now("left").pose.position[0], 0.098);
}

// Two balls of one model, one above the other.
TEST(ContactWorld, InstancesMeetEachOther) {
  std::string text = floor_text + ball_text(0.0);
  const std::size_t pose = text.find("pose =");
  text.replace(pose, text.find('\n', pose) - pose,
               "instances = [{ position = [0, 0.1, 0] }, { position = [0.05, 0.29, 0] }]");
  Meeting meeting(text);
  meeting.after(0.4);
  // The upper one has slid off the lower one, which it pushed away.
  EXPECT_LT(meeting.now("ball.0").pose.position[0], -0.01);
  EXPECT_GT(meeting.now("ball.1").pose.position[0], 0.06);
  const Vector3d apart = meeting.now("ball.1").pose.position - meeting.now("ball.0").pose.position;
  EXPECT_GT(apart.norm(), 0.19);
}

TEST(ContactWorld, WhoMeetsWhomIsSaid) {
  const auto falls = [](const std::string& more) {
    Meeting meeting(more + floor_text + ball_text(0.0));
    meeting.after(0.3);
    return meeting.now("ball").pose.position[1] < 0;
  };
  EXPECT_FALSE(falls(""));
  EXPECT_TRUE(falls("[contact]\npairs = \"none\"\n"));
  EXPECT_FALSE(
      falls("[contact]\npairs = \"listed\"\n[[contact.pair]]\nfirst = \"ball\"\nsecond "
            "= \"floor\"\n"));
  EXPECT_TRUE(falls("[[contact.pair]]\nfirst = \"ball\"\nsecond = \"floor\"\nmeet = false\n"));
}

// The stiffness that a scene says is that of the pair: a weight w sinks in by about w / k, and twice
// the stiffness bears it twice as high.
TEST(ContactWorld, StiffnessSaysHowDeepABodySinks) {
  const auto depth = [](const std::string& stiffness) {
    Meeting meeting("[contact]\nstiffness = " + stiffness + "\n" + floor_text + ball_text(0.0));
    meeting.after(2);
    return 0.1 - meeting.now("ball").pose.position[1];
  };
  const double soft = depth("2e3"), hard = depth("8e3");
  EXPECT_GT(soft, 2.5 * hard);
  EXPECT_GT(soft, 0.5 * 9.81 / 2e3);
}

// A contact far stiffer than the body: the step takes it implicitly, so that the body comes to rest at
// the step of the hand, and hardly sinks in.
TEST(ContactWorld, AFreeJellyRestsOnAStiffContact) {
  const double weight = 0.008 * 1000 * 9.81;
  Meeting meeting("[contact]\nstiffness = 1e6\n" + jelly_material + floor_text +
                  jelly_text("jelly", {0, 0.101, 0}, false));
  ASSERT_EQ(meeting.world().dt(), 1e-3);
  meeting.after(3);
  constexpr int steps = 300;
  double borne = 0, depth = 0, kinetic = 0;
  for (int i = 0; i < steps; ++i) {
    const WorldState& state = meeting.after(1e-3);
    const BodyState& jelly = state.bodies[static_cast<std::size_t>(meeting.body("jelly"))];
    borne += jelly.contact_force[1] / steps;
    depth += state.contact.deepest / steps;
    kinetic = std::max(kinetic, jelly.energy.kinetic);
  }
  EXPECT_NEAR(borne, weight, 0.02 * weight);
  EXPECT_LT(kinetic, 1e-4);
  EXPECT_GT(depth, 0);
  EXPECT_LT(depth, 1e-3);
}

// What slept is looked at again, and what touches is what touched a world that nobody edits.
TEST(ContactWorld, AnEditOfTheMaterialWakesWhatSlept) {
  const std::string text = jelly_material + floor_text + jelly_text("jelly", {0, 0.099, 0}, false);
  Meeting edited(text), left(text);
  ASSERT_GT(edited.after(0.01).contact.asleep, 0);
  left.after(0.01);
  ASSERT_EQ(edited.world().apply(
                command::Material{.body = edited.body("jelly"), .constants = {2e6, 1e6, 900}}),
            Refusal::none);
  const WorldState &after = edited.after(1e-3), &other = left.after(1e-3);
  EXPECT_EQ(after.contact.asleep, 0);
  EXPECT_GT(other.contact.asleep, 0);
  ASSERT_FALSE(after.contacts.empty());
  ASSERT_EQ(after.contacts.size(), other.contacts.size());
  for (std::size_t k = 0; k < after.contacts.size(); ++k) {
    EXPECT_EQ(after.contacts[k].point, other.contacts[k].point);
    EXPECT_EQ(after.contacts[k].depth, other.contacts[k].depth);
  }
}

TEST(ContactWorld, ARecordingTellsWhatWasFelt) {
  Meeting meeting(floor_text + ball_text(0.0));
  TemporaryFolder folder;
  Recording recording(folder / "run.safetensors", {"ball", "floor"});
  WorldState state = meeting.world().make_state();
  for (int i = 0; i < 500; ++i) {
    meeting.world().step();
    meeting.world().state(state);
    recording.add(state);
  }
  recording.write();
  const TensorFile file(folder / "run.safetensors");
  const auto felt = file.matrix<double>("ball/contact", 6);
  ASSERT_EQ(felt.cols(), 500);
  EXPECT_NEAR(felt(1, 499), state.bodies[0].contact_force[1], 0);
  EXPECT_GT(file.at("contact/depth").shape[0], 0);
  EXPECT_EQ(file.at("contact/place").shape[0], file.at("contact/depth").shape[0]);
}

// Flat on flat: all contacts that a state holds are recorded, and how many there were.
TEST(ContactWorld, ARecordingHasAllContactsOfAStep) {
  Meeting meeting(
      "[body.table]\nshape = [{ kind = \"box\", sides = [0.4, 0.1, 0.4], position = [0, -0.05, 0] "
      "}]\n"
      "[body.brick]\nshape = [{ kind = \"box\", sides = [0.2, 0.1, 0.1] }]\n"
      "pose = { position = [0, 0.0495, 0] }\n"
      "engine = { kind = \"rigid\", motion = \"free\" }\n"
      "contact = { resolution = 64, points = 2000 }\n");
  TemporaryFolder folder;
  constexpr int steps = 10;
  Recording recording(folder / "all.safetensors", {"table", "brick"}),
      bounded(folder / "bounded.safetensors", {"table", "brick"});
  bounded.reserve(steps, meeting.world().make_state());
  std::int64_t held = 0;
  std::vector<ContactCounters> counted;
  for (int i = 0; i < steps; ++i) {
    const WorldState& state = meeting.after(1e-3);
    recording.add(state);
    const AllocationCounter counter;
    bounded.add(state);
    EXPECT_EQ(counter.count(), 0);
    held += static_cast<std::int64_t>(state.contacts.size());
    counted.push_back(state.contact);
  }
  ASSERT_GT(held, 40 * steps);
  recording.write();
  bounded.write();
  const TensorFile all(folder / "all.safetensors"), few(folder / "bounded.safetensors");
  EXPECT_EQ(all.at("contact/depth").shape[0], held);
  EXPECT_EQ(few.at("contact/depth").shape[0], 32 * steps);
  for (const TensorFile* file : {&all, &few}) {
    const auto counters = file->matrix<std::int32_t>("contact/counters", 6);
    ASSERT_EQ(counters.cols(), steps);
    for (int i = 0; i < steps; ++i) {
      const ContactCounters& wanted = counted[static_cast<std::size_t>(i)];
      EXPECT_EQ(counters(0, i), wanted.pairs);
      EXPECT_EQ(counters(1, i), wanted.visited);
      EXPECT_EQ(counters(2, i), wanted.asleep);
      EXPECT_EQ(counters(3, i), wanted.contacts);
    }
  }
}

TEST(ContactWorld, ARecordingOfABodyByItselfAllocatesNothingEither) {
  Meeting meeting(ball_text(0));
  Recording recording("run.pliant", {"ball"});
  recording.reserve(10, meeting.world().make_state());
  for (int i = 0; i < 10; ++i) {
    const WorldState& state = meeting.after(1e-3);
    const AllocationCounter counter;
    recording.add(state);
    EXPECT_EQ(counter.count(), 0);
  }
}

// A square peg of 20 mm, dropped tilted above a hole of 22 mm, goes in and stands on its ground: the
// walls hold it from all sides at once, and never let it through.
TEST(ContactWorld, ASquarePegGoesIntoItsHole) {
  Meeting meeting(
      "units = \"mm\"\n[body.hole]\nshape = [\n"
      "{ kind = \"box\", sides = [80, 40, 29], position = [0, 20, 25.5] },\n"
      "{ kind = \"box\", sides = [80, 40, 29], position = [0, 20, -25.5] },\n"
      "{ kind = \"box\", sides = [29, 40, 22], position = [25.5, 20, 0] },\n"
      "{ kind = \"box\", sides = [29, 40, 22], position = [-25.5, 20, 0] },\n"
      "{ kind = \"box\", sides = [80, 10, 80], position = [0, -5, 0] }]\n"
      "[body.peg]\nshape = [{ kind = \"box\", sides = [20, 70, 20] }]\n"
      "pose = { position = [0.4, 74, -0.3], rotation = { axis = [0, 0, 1], degrees = 0.6 } }\n"
      "engine = { kind = \"rigid\", motion = \"free\", density = 7850 }\n"
      "contact = { points = 3000, resolution = 64 }\n");
  double deepest = 0;
  for (int i = 0; i < 1500; ++i) deepest = std::max(deepest, meeting.after(1e-3).contact.deepest);
  const BodyState& peg = meeting.now("peg");
  EXPECT_NEAR(peg.pose.position[1], 0.035, 5e-4);
  EXPECT_LT(std::hypot(peg.pose.position[0], peg.pose.position[2]), 0.003);
  EXPECT_GT((peg.pose.rotation * Vector3d::UnitY())[1], 0.999);
  EXPECT_GT(deepest, 0);
  EXPECT_LT(deepest, 0.002);
  EXPECT_NEAR(peg.contact_force[1], 7850 * 0.02 * 0.02 * 0.07 * 9.81, 0.05);
}

// A block on a slope of 20 degrees: held by a friction above tan 20 = 0.364, and not by one below,
// down which it goes by g (sin 20 - mu cos 20).
TEST(ContactWorld, FrictionHoldsABlockOnASlope) {
  constexpr double slope = 20 * std::numbers::pi / 180;
  const auto slid = [&](const std::string& friction) {
    Meeting meeting("[contact]\nfriction = " + friction +
                    "\n[body.slope]\nshape = [{ kind = \"plane\" }]\n"
                    "[body.block]\nshape = [{ kind = \"box\", sides = [0.2, 0.05, 0.2] }]\n"
                    "pose = { position = [0, 0.025, 0] }\n"
                    "engine = { kind = \"rigid\", motion = \"free\" }\n"
                    "contact = { resolution = 64, points = 1000 }\n");
    meeting.world().apply(command::Gravity{{9.81 * std::sin(slope), -9.81 * std::cos(slope), 0}});
    meeting.after(1);
    return meeting.now("block").pose.position[0];
  };
  EXPECT_LT(std::abs(slid("0.5")), 1e-3);
  const double expected = 0.5 * 9.81 * (std::sin(slope) - 0.2 * std::cos(slope));
  EXPECT_NEAR(slid("0.2"), expected, 0.1 * expected);
}

// A ball that is taken away and laid down elsewhere: what held it where it lay before does not pull
// at it.
TEST(ContactWorld, WhatMeetsAgainIsNotPulledToWhereItWas) {
  const std::string text =
      "[contact]\nfriction = 0.5\n" + floor_text +
      "[body.ball]\nmesh = { model = \"sphere\", parameters = { radius = 0.1 } }\n"
      "pose = { position = [0, 0.5, 0] }\nengine = { kind = \"rigid\", motion = \"kinematic\" }\n"
      "contact = { resolution = 48, points = 1000 }\n";
  const auto force_at_the_end = [&](const std::vector<Vector3d>& places) {
    Meeting meeting(text);
    for (const Vector3d& place : places) {
      meeting.world().apply(command::Move{.body = meeting.body("ball"), .position = place});
      meeting.after(3 * meeting.world().dt());
    }
    return meeting.now("ball").contact_force;
  };
  const Vector3d once = force_at_the_end({{0.05, 0.095, 0}});
  ASSERT_GT(once[1], 0);
  const Vector3d again = force_at_the_end({{0, 0.095, 0}, {0, 0.5, 0}, {0.05, 0.095, 0}});
  EXPECT_LT((again - once).norm(), 1e-6 * once.norm());
}

// Flat on flat: hundreds of points at once, and from step to step the force does not jump.
TEST(ContactWorld, FlatOnFlatIsBorneSteadily) {
  Meeting meeting(
      "[body.table]\nshape = [{ kind = \"box\", sides = [0.4, 0.1, 0.4], position = [0, -0.05, 0] "
      "}]\n"
      "[body.brick]\nshape = [{ kind = \"box\", sides = [0.2, 0.1, 0.1] }]\n"
      "pose = { position = [0, 0.05, 0] }\n"
      "engine = { kind = \"rigid\", motion = \"free\" }\n"
      "contact = { resolution = 64, points = 2000 }\n");
  meeting.after(1);
  EXPECT_GT(meeting.after(0.001).contact.contacts, 50);
  const double weight = 0.002 * 1000 * 9.81;
  Vector3d last = meeting.now("brick").contact_force;
  for (int i = 0; i < 500; ++i) {
    meeting.after(1e-3);
    const Vector3d force = meeting.now("brick").contact_force;
    EXPECT_LT((force - last).norm(), 0.01 * weight) << i;
    last = force;
  }
}

std::string error_of(const std::string& text) {
  try {
    Meeting meeting(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ContactWorld, AnAssetTellsHowEvenlyItsPointsLie) {
  const Meeting meeting(floor_text + ball_text(0));
  const Matrix3Xd evenness = meeting.asset().matrix<double>("ball/shell/evenness", 3);
  ASSERT_EQ(evenness.cols(), meeting.asset().at("ball/shell/levels").shape[0] - 1);
  // So far apart would the points of a hexagonal lattice be.
  const double area = 4 * std::numbers::pi * 0.01;
  const auto points = static_cast<double>(meeting.asset().at("ball/shell/X").shape[0]);
  const double lattice = std::sqrt(2 / std::sqrt(3) * area / points);
  const Vector3d finest = evenness.rightCols<1>();
  EXPECT_LT(finest[0], lattice);
  EXPECT_GT(finest[0], 0.7 * lattice);
  EXPECT_LT(finest[1], 0.3);
  EXPECT_GT(finest[2], 0.1);
  for (Index l = 1; l < evenness.cols(); ++l) EXPECT_LT(evenness(0, l), evenness(0, l - 1));
}

TEST(ContactWorld, MistakesAreSaid) {
  EXPECT_THAT(error_of("[contact]\nstiffness = nan\n" + floor_text + ball_text(0)),
              HasSubstr("stiffness"));
  EXPECT_THAT(error_of(floor_text + "[body.b]\nshape = [{ kind = \"plane\" }]\n"
                                    "engine = { kind = \"rigid\", motion = \"free\" }\n"),
              HasSubstr("cannot fly"));
  EXPECT_THAT(error_of(floor_text + "[body.b]\nshape = [{ kind = \"sphere\" }]\n"
                                    "engine = { kind = \"full\" }\n"),
              HasSubstr("rigid"));
  EXPECT_THAT(error_of("[[contact.pair]]\nfirst = \"bal\"\nsecond = \"floor\"\n" + floor_text +
                       ball_text(0)),
              HasSubstr("ball"));
}

}  // namespace
}  // namespace pliant
