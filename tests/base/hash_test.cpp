// SPDX-License-Identifier: MIT
#include "pliant/base/hash.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Hash, MatchesThePublishedTestVectors) {
  static_assert(fnv1a("") == 0xcbf29ce484222325ULL);
  static_assert(fnv1a("foobar") == 0x85944171f73967e8ULL);
  EXPECT_EQ(xxhash64({}), 0xef46db3751d8e999ULL);
  EXPECT_EQ(Hasher().hex(), "ef46db3751d8e999");
}

TEST(Hash, DependsOnTheCutsOfTextButNotOfBytes) {
  EXPECT_NE(Hasher().add("ab").add("c").digest(), Hasher().add("a").add("bc").digest());
  EXPECT_EQ(Hasher().add_bytes("ab", 2).add_bytes("c", 1).digest(),
            Hasher().add_bytes("abc", 3).digest());
}

}  // namespace
}  // namespace pliant
