// SPDX-License-Identifier: MIT
// What a pair of bodies knows of its last step is there in its next one.
#include "pliant/world/contact_slots.hpp"

#include <gtest/gtest.h>

#include "world/meeting.hpp"

namespace pliant {
namespace {

class BallAbovePlane : public testing::Test {
 protected:
  BallAbovePlane()
      : meeting(test::floor_text + test::ball_text(0.0)),
        shell(meeting.asset(), "ball/shell/", 0),
        plane(AnalyticField({RigidShape{}})) {}  // z <= 0 is inside

  // Nodes that a pair knows to be clear, because it was looked at before.
  int asleep(ContactSlots& slots, int field, std::int64_t step) {
    Motion ball{0}, floor{0};
    ball.pose.position = Vector3d(0, 0, 0.11);
    Load on_ball(0, false), on_floor(0, false);
    SpringRoom none;
    return slots.of(0, field, step)
        .meet({}, {}, {ball, on_ball, none}, plane, nullptr, {floor, on_floor, none}, {})
        .asleep;
  }
  // Of so many pairs one after the other, those that know something.
  int remembered(ContactSlots& slots, int pairs, std::int64_t step) {
    int count = 0;
    for (int field = 1; field <= pairs; ++field) count += asleep(slots, field, step) > 0 ? 1 : 0;
    return count;
  }

  test::Meeting meeting;
  ContactShell shell;
  ContactField plane;
};

TEST_F(BallAbovePlane, OnePairIsRememberedWhateverItsPointsTake) {
  ContactSlots slots(shell, 1, 0, 1);
  EXPECT_EQ(remembered(slots, 1, 0), 0);
  EXPECT_EQ(remembered(slots, 1, 1), 1);
  slots.forget();
  EXPECT_EQ(remembered(slots, 1, 2), 0);
}

TEST_F(BallAbovePlane, AFewPairsAreRememberedWhateverTheirPointsTake) {
  ContactSlots slots(shell, 50, 0, 1);
  EXPECT_EQ(slots.count(), 4);
  EXPECT_EQ(remembered(slots, 4, 0), 0);
  EXPECT_EQ(remembered(slots, 4, 1), 4);
}

// Those that share the last slot forget; none of the others does.
TEST_F(BallAbovePlane, PairsBeyondTheSlotsTakeNothingFromTheOthers) {
  ContactSlots slots(shell, 100, 0);
  ASSERT_EQ(slots.count(), 64);
  remembered(slots, 100, 0);
  for (int step = 1; step < 4; ++step) EXPECT_EQ(remembered(slots, 100, step), 63) << step;
}

// What is clear stays so by the way that bodies go, not by the steps that pass.
TEST_F(BallAbovePlane, ClearancesOutlastAGap) {
  ContactSlots slots(shell, 1, 0);
  remembered(slots, 1, 0);
  EXPECT_EQ(remembered(slots, 1, 10), 1);
}

// A pair that has not met for long makes room for another.
TEST_F(BallAbovePlane, OldPairsMakeRoom) {
  ContactSlots slots(shell, 50, 0, 1);
  remembered(slots, 4, 0);
  for (int step = 1; step < 3; ++step) {
    int count = 0;
    for (int field = 11; field < 15; ++field) count += asleep(slots, field, 10 + step) > 0 ? 1 : 0;
    EXPECT_EQ(count, step == 1 ? 0 : 4);
  }
}

}  // namespace
}  // namespace pliant
