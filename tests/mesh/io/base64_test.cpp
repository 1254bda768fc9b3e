// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/base64.hpp"

#include <gtest/gtest.h>

namespace pliant::io {
namespace {

TEST(Base64, DecodesTheExamplesOfRfc4648) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("Zg=="), "f");
  EXPECT_EQ(decode_base64("Zm8="), "fo");
  EXPECT_EQ(decode_base64("Zm9v"), "foo");
  EXPECT_EQ(decode_base64("Zm9vYg=="), "foob");
  EXPECT_EQ(decode_base64("Zm9vYmE="), "fooba");
  EXPECT_EQ(decode_base64("Zm9vYmFy"), "foobar");
  EXPECT_EQ(decode_base64("+/+/"), "\xFB\xFF\xBF");
}

TEST(Base64, SkipsBlanksAndForgivesMissingPadding) {
  EXPECT_EQ(decode_base64(" Zm9v\n YmE\r\n"), "fooba");
  EXPECT_EQ(decode_base64("Zg"), "f");
}

TEST(Base64, RefusesWhatIsNotBase64) {
  EXPECT_FALSE(decode_base64("Zm9v!"));
  EXPECT_FALSE(decode_base64("Z"));
  EXPECT_FALSE(decode_base64("Zm9vZ"));
  EXPECT_FALSE(decode_base64("===="));
  EXPECT_FALSE(decode_base64("Zg=v"));
}

TEST(Base64, StreamContinuesBehindPadding) {
  Base64Reader reader("Zg==Zm9vYg==");
  char bytes[8] = {};
  EXPECT_EQ(reader.read(bytes, 3), 3u);
  EXPECT_EQ(std::string_view(bytes), "ffo");
  EXPECT_EQ(reader.read(bytes, 8), 2u);
}

}  // namespace
}  // namespace pliant::io
