// SPDX-License-Identifier: MIT
#include "pliant/base/queue.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Queue, GivesInOrderAndRefusesWhenFull) {
  Queue<int> queue(3);
  int value = 0;
  EXPECT_FALSE(queue.pop(value));
  for (int round = 0; round < 5; ++round) {  // around the ring
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.push(i));
    EXPECT_FALSE(queue.push(9));
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(queue.pop(value));
      EXPECT_EQ(value, i);
    }
    EXPECT_FALSE(queue.pop(value));
  }
}

TEST(Queue, LosesNothingBetweenTwoThreads) {
  struct Pair {
    int a = 0, b = 0;
  };
  constexpr int count = 100'000;
  Queue<Pair> queue(16);
  std::jthread producer([&] {
    for (int i = 0; i < count;) i += queue.push({i, -i}) ? 1 : 0;
  });
  for (int i = 0; i < count;) {
    Pair pair;
    if (!queue.pop(pair)) continue;
    ASSERT_EQ(pair.a, i);
    ASSERT_EQ(pair.b, -i);
    ++i;
  }
}

}  // namespace
}  // namespace pliant
