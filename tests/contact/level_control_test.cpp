// SPDX-License-Identifier: MIT
#include "pliant/contact/level_control.hpp"

#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "pliant/contact/level_blend.hpp"

namespace pliant {
namespace {

TEST(LevelControl, FindsHowManyNodesFitIntoTheTime) {
  LevelControl control(400e-6, 1e-6);
  Random random(1);
  constexpr double node = 30e-9;
  for (int cycle = 0; cycle < 3000; ++cycle) {
    const float work = 500 + static_cast<float>(random.below(2000));
    double seconds = node * static_cast<double>(work) * random.uniform(0.9, 1.1);
    if (random.below(200) == 0) seconds += 5e-3;  // the machine was elsewhere
    control.measured(seconds, work);
  }
  const TraversalBudget budget = control.budget();
  EXPECT_NEAR(budget.warm, 400e-6 / node, 0.1 * 400e-6 / node);
  EXPECT_NEAR(budget.cold, 0.8 * budget.warm, 1);
}

TEST(LevelControl, FollowsAMachineThatBecomesSlower) {
  LevelControl control(400e-6);
  for (int cycle = 0; cycle < 1000; ++cycle) control.measured(1000 * 40e-9, 1000);
  EXPECT_NEAR(control.node_seconds(), 40e-9, 1e-9);
  int cycles = 0;
  for (; cycles < 1000 && control.node_seconds() < 110e-9; ++cycles) {
    control.measured(1000 * 120e-9, 1000);
  }
  EXPECT_LT(cycles, 300);
}

TEST(LevelControl, WithoutMeasurementsKeepsItsThresholds) {
  LevelControl control(400e-6);
  const int warm = control.budget().warm;
  control.measured(1e-3, 10);  // so little work says nothing
  control.measured(std::nan(""), 1000);
  control.measured(-1, 1000);
  EXPECT_EQ(control.budget().warm, warm);
}

// Two levels that give other forces: what is applied never steps by more than a part of that.
TEST(LevelBlend, TakesAStepBackOverSomeCycles) {
  constexpr Index r = 3;
  LevelBlend blend(r);
  Load load(r, false);
  const auto cycle = [&](int levels, double size) {
    load.set_zero();
    load.force = Vector3d(7, 7, 7);  // of others
    blend.begin(load);
    load.force += Vector3d(size, 0, 2 * size);
    load.torque += Vector3d(0, size, 0);
    load.Q += VectorXd::Constant(r, size);
    blend.end(levels, load);
    return load.force[0] - 7;
  };
  EXPECT_EQ(cycle(4, 10), 10);
  EXPECT_EQ(cycle(4, 11), 11);  // the same level: as it is
  double last = 11;
  for (int k = 0; k < LevelBlend::cycles; ++k) {
    const double now = cycle(3, 3);
    EXPECT_LE(std::abs(now - last), 8.0 / LevelBlend::cycles + 1e-12);
    EXPECT_NEAR(load.torque[1], now, 1e-12);
    EXPECT_NEAR(load.Q[2], now, 1e-12);
    EXPECT_NEAR(load.force[2] - 7, 2 * now, 1e-12);
    last = now;
  }
  EXPECT_NEAR(cycle(3, 3), 3, 1e-12);
  // Back before the blend is over.
  cycle(4, 11);
  last = cycle(4, 11);
  EXPECT_NEAR(cycle(3, 3), last, 1e-12);
  blend.forget();
  EXPECT_NEAR(cycle(4, 11), 11, 1e-12);
}

}  // namespace
}  // namespace pliant
