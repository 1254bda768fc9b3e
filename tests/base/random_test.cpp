// SPDX-License-Identifier: MIT
#include "pliant/base/random.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Random, SameSeedSameSequence) {
  Random a(42), b(42), c(43);
  const std::uint64_t first = a.bits();
  EXPECT_EQ(first, b.bits());
  EXPECT_NE(first, c.bits());
}

TEST(Random, HasTheMomentsOfItsDistributions) {
  Random random(1);
  constexpr int n = 200'000;
  double mean = 0, square = 0, normal_mean = 0, normal_square = 0;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform(), g = random.normal();
    ASSERT_TRUE(u >= 0.0 && u < 1.0);
    mean += u / n;
    square += u * u / n;
    normal_mean += g / n;
    normal_square += g * g / n;
    const int k = random.below(3);
    ASSERT_TRUE(k >= 0 && k < 3);
  }
  EXPECT_NEAR(mean, 1.0 / 2, 0.005);
  EXPECT_NEAR(square, 1.0 / 3, 0.005);
  EXPECT_NEAR(normal_mean, 0.0, 0.01);
  EXPECT_NEAR(normal_square, 1.0, 0.02);
}

}  // namespace
}  // namespace pliant
