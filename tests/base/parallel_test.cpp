// SPDX-License-Identifier: MIT
#include "pliant/base/parallel.hpp"

#include <atomic>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Parallel, VisitsEveryIndexOnce) {
  std::vector<std::atomic<int>> visits(10'007);
  parallel_for(visits.size(), 64, [&](std::size_t i) { ++visits[i]; });
  for (const auto& n : visits) ASSERT_EQ(n, 1);
  parallel_for(0, 64, [](std::size_t) { FAIL(); });
}

TEST(Parallel, ReductionHasTheSameBitsForAnyNumberOfThreads) {
  const auto sum = [] {
    return parallel_reduce(
        100'000, 1000, 0.0,
        [](std::size_t begin, std::size_t end) {
          double s = 0.0;
          for (std::size_t i = begin; i < end; ++i) s += std::sin(static_cast<double>(i));
          return s;
        },
        [](double a, double b) { return a + b; });
  };
  set_threads(1);
  const double one = sum();
  set_threads(2);
  const double two = sum();
  set_threads(0);
  EXPECT_EQ(one, two);
  EXPECT_NEAR(one, sum(), 0.0);
}

TEST(Parallel, RethrowsWhatABodyThrows) {
  EXPECT_THROW(parallel_for(1000, 10,
                            [](std::size_t i) {
                              if (i == 500) throw std::runtime_error("here");
                            }),
               std::runtime_error);
}

}  // namespace
}  // namespace pliant
