// SPDX-License-Identifier: MIT
#include "pliant/base/progress.hpp"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"

namespace pliant {
namespace {

TEST(Progress, TellsBeginAndEndOfEachStep) {
  std::vector<ProgressEvent> events;
  Progress progress([&](const ProgressEvent& e) { events.push_back(e); });
  progress.begin("mesh", 4);
  progress.advance();
  progress.end();
  ASSERT_GE(events.size(), 2u);
  EXPECT_EQ(events.front().kind, ProgressEvent::Kind::begin);
  EXPECT_EQ(events.front().step, "mesh");
  EXPECT_EQ(events.front().fraction, 0.0);
  EXPECT_EQ(events.back().kind, ProgressEvent::Kind::end);
  EXPECT_EQ(events.back().fraction, 1.0);
}

TEST(Progress, FractionGrowsAndTheSinkIsNotFlooded) {
  std::vector<double> fractions;
  Progress progress([&](const ProgressEvent& e) { fractions.push_back(e.fraction); });
  constexpr int n = 1'000'000;
  progress.begin("work", n);
  for (int i = 0; i < n; ++i) progress.advance();
  progress.end();
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_LT(fractions.size(), 1000u);
}

TEST(Progress, StopsTheWorkWhenCancelledFromAnotherThread) {
  Progress progress;
  std::thread other([&] { progress.cancel(); });
  EXPECT_THROW(
      {
        progress.begin("work", 1);
        for (;;) progress.advance(0);
      },
      Cancelled);
  other.join();
  EXPECT_THROW(progress.begin("next"), Cancelled);
}

TEST(Progress, StopsWithTheWholeThatItIsAPartOf) {
  Progress whole;
  Progress part([](const ProgressEvent&) {}, whole);
  part.begin("part", 2);
  part.advance();
  whole.cancel();
  EXPECT_THROW(part.advance(), Cancelled);
}

TEST(Assert, CallsTheHandler) {
  const AssertHandler before =
      set_assert_handler([](const char* condition, const char*, const char*, int) {
        throw std::logic_error(condition);
      });
  EXPECT_THROW(PLIANT_ASSERT(1 + 1 == 3, "arithmetic"), std::logic_error);
  EXPECT_NO_THROW(PLIANT_ASSERT(1 + 1 == 2, "arithmetic"));
  set_assert_handler(before);
  EXPECT_DEATH(PLIANT_ASSERT(false, "the reason"), "the reason");
}

}  // namespace
}  // namespace pliant
