// SPDX-License-Identifier: MIT
// The work of contact in a cycle: what coherence spares, and what a budget leaves out.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocation_counter.hpp"
#include "world/meeting.hpp"

namespace pliant {
namespace {

using test::AllocationCounter;
using test::floor_text;
using test::Meeting;

// A block that goes where it is told, above the floor: 4 levels of points.
std::string block_text(const std::string& contact) {
  return "gravity = [0, 0, 0]\n[contact]\n" + contact + "\n" + floor_text +
         "[body.block]\nshape = [{ kind = \"box\", sides = [0.2, 0.1, 0.2] }]\n"
         "pose = { position = [0, 0.06, 0] }\n"
         "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
         "contact = { role = \"shell\", resolution = 64, points = 4000, levels = 4 }\n";
}

// To this height, tilted about z.
void put(Meeting& meeting, double height, double angle) {
  meeting.world().apply(
      command::Move{.body = meeting.body("block"),
                    .position = {0, height, 0},
                    .rotation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}});
}

// Down into the floor and rocking there; what the block feels in each step.
struct Pressed {
  std::vector<double> force;
  std::vector<int> visited, left_out;
};
Pressed press(Meeting& meeting, int steps) {
  Pressed felt;
  const auto count = static_cast<std::size_t>(steps);
  felt.force.reserve(count);
  felt.visited.reserve(count);
  felt.left_out.reserve(count);
  const auto block = static_cast<std::size_t>(meeting.body("block"));
  for (int i = 0; i < steps; ++i) {
    put(meeting, 0.0515 - 2e-6 * i, 0.02 * std::sin(2e-3 * i));
    const WorldState& now = meeting.after(1e-3);
    felt.force.push_back(now.bodies[block].contact_force[1]);
    felt.visited.push_back(now.contact.visited);
    felt.left_out.push_back(now.contact.levels_left_out);
  }
  return felt;
}

TEST(ContactBudget, BoundsTheWorkOfACycleAndTheForceDoesNotStep) {
  constexpr int budget = 250, steps = 1500;
  Meeting tight(block_text("budget = " + std::to_string(budget)));
  Meeting whole(block_text("time = 0"));
  const Pressed few = press(tight, steps), all = press(whole, steps);
  const ContactShell& shell =
      *tight.world().data().contact.models[static_cast<std::size_t>(tight.body("block"))].shell;
  ASSERT_EQ(shell.tree->levels(), 4);
  const int coarsest = shell.tree->nodes(0);
  ASSERT_LT(coarsest, budget);
  int changes = 0, most = 0;
  double largest = 0, largest_step = 0, largest_of_all = 0, other = 0;
  for (std::size_t i = 1; i < few.force.size(); ++i) {
    EXPECT_LE(few.visited[i], budget) << i;
    most = std::max(most, all.visited[i]);
    changes += few.left_out[i] != few.left_out[i - 1] ? 1 : 0;
    largest = std::max(largest, all.force[i]);
    largest_step = std::max(largest_step, std::abs(few.force[i] - few.force[i - 1]));
    largest_of_all = std::max(largest_of_all, std::abs(all.force[i] - all.force[i - 1]));
    other = std::max(other, std::abs(few.force[i] - all.force[i]));
  }
  // Without the budget there is far more to do; with it levels come and go, and say other forces.
  EXPECT_GT(most, 4 * budget);
  EXPECT_GT(changes, 0);
  EXPECT_GT(other, 0.05 * largest);
  // A change of level adds at most its part of a blend to what the motion itself does.
  EXPECT_LT(largest_step, 2 * largest_of_all + other / LevelBlend::cycles);
}

TEST(ContactBudget, AllocatesNothing) {
  Meeting meeting(block_text("budget = 250"));
  press(meeting, 200);
  const AllocationCounter counter;
  for (int i = 200; i < 1500; ++i) {
    put(meeting, 0.0515 - 2e-6 * i, 0.02 * std::sin(2e-3 * i));
    meeting.after(1e-3);
  }
  EXPECT_EQ(counter.count(), 0);
}

// A clock on which every look at it takes so long.
double clock_step = 0, clock_now = 0;
double slow_clock() noexcept {
  return clock_now += clock_step;
}

TEST(ContactBudget, FollowsTheTimeThatContactTakes) {
  WorldOptions options = desktop_options();
  options.clock = slow_clock;
  const auto nodes_after = [&](double seconds) {
    clock_step = seconds;
    Meeting meeting(block_text("time = 0.5"), options);
    put(meeting, 0.049, 0);
    meeting.after(0.002);
    const WorldState& state = meeting.after(0.6);
    EXPECT_GT(state.contact.contacts, 0);
    return state.contact.budget;
  };
  // Half a millisecond at 50 ns a node until something is measured.
  Meeting meeting(block_text("time = 0.5"));
  EXPECT_EQ(meeting.after(0.01).contact.budget, 10000);
  EXPECT_LT(nodes_after(1e-2), 1000);
  EXPECT_GT(nodes_after(1e-6), 20000);
}

TEST(ContactBudget, IsSharedByThePairs) {
  std::string text = "gravity = [0, 0, 0]\n[contact]\nbudget = 600\n" + floor_text +
                     "[body.block]\nshape = [{ kind = \"box\", sides = [0.2, 0.1, 0.2] }]\n"
                     "instances = [{ position = [0, 0.0499, 0] }, { position = [0.3, 0.0499, 0] }, "
                     "{ position = [0.6, 0.0499, 0] }]\n"
                     "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
                     "contact = { role = \"shell\", resolution = 64, points = 4000, levels = 4 }\n";
  Meeting meeting(text);
  meeting.after(0.1);
  const WorldState& state = meeting.after(1e-3);
  EXPECT_EQ(state.contact.pairs, 3);
  EXPECT_LE(state.contact.visited, 600);
  EXPECT_GT(state.contact.levels_left_out, 0);
  std::vector<int> found(3, 0);
  for (const ContactState& contact : state.contacts) {
    ++found[static_cast<std::size_t>(contact.shell - meeting.body("block.0"))];
  }
  for (const int own : found) EXPECT_GT(own, 0);
}

// What sleeps, as it cannot touch yet, is awake as soon as it can: after a small move, after a jump
// and after a reset the contacts are those of a world that has seen nothing before.
TEST(ContactBudget, CoherenceLeavesOutOnlyWhatCannotTouch) {
  Meeting meeting(block_text("time = 0"));
  put(meeting, 0.0525, 0.02);
  meeting.after(0.005);
  put(meeting, 0.0524, 0.02);
  const WorldState& near = meeting.after(0.002);
  EXPECT_GT(near.contact.asleep, 0);
  const auto contacts_at = [](Meeting& world, double height, double angle) {
    put(world, height, angle);
    return world.after(0.002).contact.contacts;
  };
  for (const double height : {0.0518, 0.0490, 0.0530, 0.0500}) {
    Meeting fresh(block_text("time = 0"));
    EXPECT_EQ(contacts_at(meeting, height, 0.015), contacts_at(fresh, height, 0.015)) << height;
  }
  meeting.world().apply(command::Reset{});
  EXPECT_EQ(meeting.world().data().contact.counters.asleep, 0);
  Meeting fresh(block_text("time = 0"));
  EXPECT_EQ(contacts_at(meeting, 0.049, 0.01), contacts_at(fresh, 0.049, 0.01));
}

}  // namespace
}  // namespace pliant
