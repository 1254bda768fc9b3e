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

TEST(Printable, KeepsUnicodeAndHidesWhatIsNone) {
  EXPECT_EQ(printable("Löffel 匙 🥄.obj"), "Löffel 匙 🥄.obj");
  EXPECT_EQ(printable("a\xff\xc3 \xed\xa0\x80\xc0\xaf"), "a?? ?????");  // no UTF-8
  EXPECT_EQ(printable("\xc2\x85 \xe2\x80\xae"), "?? ???");              // controls
  const std::string cut = printable(std::string(79, 'x') + "é");
  EXPECT_EQ(cut, std::string(79, 'x') + "...");
}

}  // namespace
}  // namespace pliant
