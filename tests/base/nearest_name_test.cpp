// SPDX-License-Identifier: MIT
#include "pliant/base/nearest_name.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(NearestName, TakesTheFewestEdits) {
  EXPECT_EQ(nearest_name("spon", {"knight", "spoon", "sphere"}), "spoon");
  EXPECT_EQ(nearest_name("colour", {"color", "cooler"}), "color");
  EXPECT_EQ(nearest_name("ab", {"ax", "ay"}), "ax") << "of equals, the first";
  EXPECT_EQ(nearest_name("anything", {}), "");
}

TEST(NearestName, EndsAnError) {
  EXPECT_EQ(nearest_known("yung", {"young", "poisson"}), "the nearest known is 'young'");
  EXPECT_EQ(nearest_known("yung", {}), "nothing here");
}

TEST(NearestName, StaysCheapForALongName) {
  EXPECT_EQ(nearest_name(std::string(1 << 20, 'x'), {"a", std::string(1 << 20, 'x')}).size(),
            1u << 20);
}

}  // namespace
}  // namespace pliant
