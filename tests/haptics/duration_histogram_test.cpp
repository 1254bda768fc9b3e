// SPDX-License-Identifier: MIT
#include "pliant/haptics/duration_histogram.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

TEST(DurationHistogram, IsEmptyAtFirstAndAfterClearing) {
  DurationHistogram h;
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(h.quantile(0.5), 0);
  EXPECT_EQ(h.max(), 0);
  h.add(1000);
  h.clear();
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(h.quantile(1), 0);
  EXPECT_EQ(h.max(), 0);
}

TEST(DurationHistogram, IsExactForShortDurations) {
  DurationHistogram h;
  for (int ns = 0; ns < 64; ++ns) h.add(ns);
  for (int ns = 0; ns < 64; ++ns) EXPECT_EQ(h.quantile((ns + 1) / 64.0), ns);
}

TEST(DurationHistogram, CountsExactlyBelowPowersOfTwo) {
  DurationHistogram h;
  for (const int ns : {1, 1023, 1024, 1025, 2047, 2048, 5000}) h.add(ns);
  EXPECT_EQ(h.count_below(6), 1u);
  EXPECT_EQ(h.count_below(10), 2u);
  EXPECT_EQ(h.count_below(11), 5u);
  EXPECT_EQ(h.count_below(12), 6u);
  EXPECT_EQ(h.count_below(41), 7u);
}

// Never below the true quantile, above it by 1/32 at the most: over twelve powers of ten.
TEST(DurationHistogram, BoundsEveryQuantileFromAboveByThreePercent) {
  DurationHistogram h;
  Random random(1);
  std::vector<std::int64_t> all;
  for (int i = 0; i < 10000; ++i) {
    all.push_back(static_cast<std::int64_t>(std::pow(10.0, random.uniform(0, 12))));
    h.add(all.back());
  }
  std::sort(all.begin(), all.end());
  for (const double p : {0.001, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto exact = static_cast<double>(all[static_cast<std::size_t>(std::ceil(p * 10000)) - 1]);
    const auto found = static_cast<double>(h.quantile(p));
    EXPECT_GE(found, exact) << p;
    EXPECT_LE(found, exact * (1 + 1.0 / 32)) << p;
  }
  EXPECT_EQ(h.max(), all.back());
  EXPECT_EQ(h.quantile(1.0), all.back());
}

TEST(DurationHistogram, TakesAnyNumber) {
  DurationHistogram h;
  h.add(-5);
  h.add(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(h.count(), 2u);
  EXPECT_EQ(h.quantile(0.5), 0);
  EXPECT_EQ(h.quantile(1), std::numeric_limits<std::int64_t>::max());
}

TEST(DurationHistogram, AllocatesNothing) {
  const test::AllocationCounter counter;
  DurationHistogram h;
  for (int i = 0; i < 1000; ++i) h.add(i * i);
  EXPECT_GT(h.quantile(0.999), 0);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace pliant
