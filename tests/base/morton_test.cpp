// SPDX-License-Identifier: MIT
#include "pliant/base/morton.hpp"

#include <gtest/gtest.h>

#include "pliant/base/random.hpp"

namespace pliant {
namespace {

TEST(MortonCode, TakesTheBitsOfTheCoordinatesInTurn) {
  EXPECT_EQ(morton_code({0, 0, 0}), 0U);
  EXPECT_EQ(morton_code({1, 1, 1}), (std::uint64_t{1} << 63) - 1);
  Random random(1);
  for (int n = 0; n < 100; ++n) {
    const Vector3d place(random.uniform(), random.uniform(), random.uniform());
    std::uint64_t expected = 0;
    for (int bit = 0; bit < 21; ++bit) {
      for (int a = 0; a < 3; ++a) {
        const auto i = static_cast<std::uint64_t>(place[a] * 2097151.0);
        expected |= (i >> bit & 1) << (3 * bit + a);
      }
    }
    EXPECT_EQ(morton_code(place), expected);
  }
}

}  // namespace
}  // namespace pliant
