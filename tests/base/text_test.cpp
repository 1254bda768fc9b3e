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

}  // namespace
}  // namespace pliant
