// SPDX-License-Identifier: MIT
#include "pliant/base/pack.hpp"

#include <gtest/gtest.h>

namespace pliant::simd {
namespace {

template <class T>
class PackTest : public ::testing::Test {};
using Numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PackTest, Numbers);

TYPED_TEST(PackTest, LoadsAndStoresAtAnyAddress) {
  using T = TypeParam;
  T from[lanes<T> + 1], to[lanes<T> + 2] = {};
  for (Index i = 0; i <= lanes<T>; ++i) from[i] = static_cast<T>(i);
  store(to + 1, load(from + 1) + all(T{10}));
  EXPECT_EQ(to[0], T{0});
  for (Index i = 1; i <= lanes<T>; ++i) EXPECT_EQ(to[i], static_cast<T>(10 + i));
  EXPECT_EQ(to[lanes<T> + 1], T{0});
}

// Every lane has a bit of its own, so that none can be missed or taken twice.
TYPED_TEST(PackTest, SumsAreThoseOfTheLanes) {
  using T = TypeParam;
  T bits[lanes<T>];
  for (Index i = 0; i < lanes<T>; ++i) bits[i] = static_cast<T>(1 << i);
  const Pack<T> a = load(bits);
  const T one = static_cast<T>((1 << lanes<T>)-1);
  EXPECT_EQ(sum(a), one);
  const Quad<T> four = sums(a, T{2} * a, T{3} * a, T{5} * a);
  EXPECT_EQ(four[0], one);
  EXPECT_EQ(four[1], 2 * one);
  EXPECT_EQ(four[2], 3 * one);
  EXPECT_EQ(four[3], 5 * one);
}

}  // namespace
}  // namespace pliant::simd
