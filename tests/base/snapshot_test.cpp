// SPDX-License-Identifier: MIT
#include "pliant/base/snapshot.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

TEST(Snapshot, ReaderSeesNothingBeforeTheFirstPublish) {
  Snapshot<int> snapshot(7);
  EXPECT_FALSE(snapshot.fetch());
  EXPECT_EQ(snapshot.front(), 7);
}

TEST(Snapshot, ReaderTakesTheNewestAndOnlyOnce) {
  Snapshot<int> snapshot;
  for (int i = 1; i <= 3; ++i) {
    snapshot.back() = i;
    snapshot.publish();
  }
  EXPECT_TRUE(snapshot.fetch());
  EXPECT_EQ(snapshot.front(), 3);
  EXPECT_FALSE(snapshot.fetch());
  EXPECT_EQ(snapshot.front(), 3);
}

// All numbers of a state are equal, and states only move forward; run under ThreadSanitizer too.
TEST(Snapshot, StatesAreWholeAndInOrderAcrossThreads) {
  constexpr int rounds = 200'000;
  Snapshot<std::vector<int>> snapshot(std::vector<int>(16, 0));
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 1; i <= rounds; ++i) {
      for (int& x : snapshot.back()) x = i;
      snapshot.publish();
    }
    done = true;
  });
  int last = 0, torn = 0, backwards = 0;
  while (last < rounds) {
    const bool ended = done;
    if (snapshot.fetch()) {
      const std::vector<int>& state = snapshot.front();
      for (const int x : state) torn += x != state[0];
      backwards += state[0] <= last;
      last = state[0];
    } else if (ended) {
      break;
    }
  }
  writer.join();
  EXPECT_EQ(last, rounds);
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backwards, 0);
}

TEST(Snapshot, AllocatesNothingAfterConstruction) {
  Snapshot<std::vector<double>> snapshot(std::vector<double>(100, 0.0));
  const test::AllocationCounter counter;
  for (int i = 0; i < 10; ++i) {
    snapshot.back()[5] = i;
    snapshot.publish();
    snapshot.fetch();
  }
  EXPECT_EQ(counter.count(), 0);
}

TEST(AllocationCounter, CountsEveryKindOfAllocation) {
  if (!test::AllocationCounter::can_count()) GTEST_SKIP() << "a sanitizer owns malloc";
  const test::AllocationCounter counter;
  const std::vector<double> v(10);
  void* volatile p = ::malloc(8);
  ::free(p);
  EXPECT_EQ(counter.count(), 2);
}

}  // namespace
}  // namespace pliant
