// SPDX-License-Identifier: MIT
#include "pliant/base/text.hpp"

#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Text, ShowsNumbersAsTheLibraryForTextsDoes) {
  using Limits = std::numeric_limits<double>;
  for (const double x : {0.0, -0.0, 1.0, 0.25, -1e-7, 1.0 / 3, 123456.0, 1234567.0, 1e5, 1e300,
                         -9.999999e-300, Limits::infinity(), -Limits::infinity(),
                         Limits::quiet_NaN(), Limits::denorm_min(), Limits::lowest()}) {
    EXPECT_EQ(text(x), fmt::format("{:g}", x));
  }
}

TEST(Text, ShowsAmountsOfMemory) {
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1'400'000), "1.4 MB");
  EXPECT_EQ(bytes_text(31'400'000'000), "31 GB");
  EXPECT_EQ(bytes_text(999'950'000), "1.0 GB");
}

TEST(Text, QuotesWhatAShellWouldCut) {
  EXPECT_EQ(shell_word("scenes/löffel-1.toml"), "scenes/löffel-1.toml");
  EXPECT_EQ(shell_word("my scene.toml"), "'my scene.toml'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace pliant
