// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/node_list.hpp"

#include <gmock/gmock.h>

namespace pliant::io {
namespace {

using testing::HasSubstr;

TEST(NodeList, IsReadWithCommasBlanksAndLines) {
  EXPECT_EQ(read_node_list(Source{"held.bou", "1,2, 5,\n10 3\n"}, 10),
            (std::vector<int>{0, 1, 4, 9, 2}));
}

TEST(NodeList, RefusesWhatIsNoNode) {
  const auto why = [](std::string_view text) -> std::string {
    try {
      read_node_list(Source{"held.bou", text}, 4);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(why("1,\n2, x"), HasSubstr("held.bou:2"));
  EXPECT_THAT(why("0"), HasSubstr("1 to 4"));
  EXPECT_THAT(why("5"), HasSubstr("1 to 4"));
  EXPECT_THAT(why("1.5"), HasSubstr("held.bou:1"));
  EXPECT_THAT(why("99999999999999999999"), HasSubstr("held.bou:1"));
  EXPECT_THAT(why(""), HasSubstr("names no node"));
}

}  // namespace
}  // namespace pliant::io
