// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/tag_map.hpp"

#include <gtest/gtest.h>

namespace pliant::io {
namespace {

TEST(TagMap, FindsDenseAndSparseTags) {
  for (const std::vector<std::int64_t>& tags :
       {std::vector<std::int64_t>{}, {7}, {3, 1, 2}, {INT64_MAX, INT64_MIN, 0, 5}}) {
    TagMap map;
    EXPECT_FALSE(map.assign(tags));
    for (std::size_t i = 0; i < tags.size(); ++i) EXPECT_EQ(map.find(tags[i]), static_cast<int>(i));
    EXPECT_EQ(map.find(4), -1);
    EXPECT_EQ(map.find(-1), -1);
  }
}

TEST(TagMap, ReportsATagThatOccursTwice) {
  TagMap map;
  EXPECT_EQ(map.assign(std::vector<std::int64_t>{1, 2, 1}), 1);
  EXPECT_EQ(map.assign(std::vector<std::int64_t>{1, 1000000, 1000000, 5}), 1000000);
}

}  // namespace
}  // namespace pliant::io
