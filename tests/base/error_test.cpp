// SPDX-License-Identifier: MIT
#include "pliant/base/error.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Error, SaysWhereWhatFoundAndExpected) {
  const Error error({"spoon.obj", 12, "face 3"}, "no such vertex", "99", "1 to 8");
  EXPECT_STREQ(error.what(), "spoon.obj:12: face 3: no such vertex: found '99', expected 1 to 8");
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(Error({"a.stl", 0, ""}, "empty file").what(), "a.stl: empty file");
  EXPECT_STREQ(Error({}, "bad size", "", "a positive number").what(),
               "bad size: expected a positive number");
  EXPECT_STREQ(Error({"a.toml", 3, "rate", 7}, "bad value").what(), "a.toml:3:7: rate: bad value");
}

TEST(Error, ShowsHostileBytesHarmlessly) {
  const Error error({}, "bad", std::string("\x1b[2J\0", 5) + std::string(500, 'x'));
  const std::string text = error.what();
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_LT(text.size(), 120u);
}

}  // namespace
}  // namespace pliant
