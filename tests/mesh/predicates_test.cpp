// SPDX-License-Identifier: MIT
#include "pliant/mesh/predicates.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "pliant/base/random.hpp"

namespace pliant {
namespace {

// Integer coordinates have exact determinants in 128 bits.
__extension__ typedef __int128 Wide;

int sign(Wide x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

TEST(Predicates, AgreeWithIntegerArithmeticOnNearlyFlatPoints) {
  Random random(1);
  int flat = 0;
  for (int t = 0; t < 20000; ++t) {
    std::int64_t p[4][3];
    for (auto& q : p) {
      for (auto& x : q) x = random.below(1 << 26) - (1 << 25);
    }
    // d in the plane of a, b, c, or one unit beside it.
    const int i = random.below(3) - 1, j = random.below(3) - 1;
    for (int k = 0; k < 3; ++k) {
      p[3][k] = p[0][k] + i * (p[1][k] - p[0][k]) + j * (p[2][k] - p[0][k]);
    }
    if (t % 3 == 1) p[3][t % 9 / 3] += 1;
    Wide m[3][3];
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 3; ++k) m[r][k] = p[r + 1][k] - p[0][k];
    }
    const Wide det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                     m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    const Wide det2 = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    // A common shift by 2^40 keeps the points exact but makes the filter blind; 2^-30 makes the
    // numbers small.
    Vector3d v[4];
    for (int r = 0; r < 4; ++r) {
      for (int k = 0; k < 3; ++k) v[r][k] = std::ldexp(static_cast<double>(p[r][k]), -30) + 0x1p10;
    }
    ASSERT_EQ(orient3d(v[0], v[1], v[2], v[3]), sign(det));
    ASSERT_EQ(orient2d(v[0].head<2>(), v[1].head<2>(), v[2].head<2>()), sign(det2));
    flat += det == 0;
  }
  EXPECT_GT(flat, 5000);
}

TEST(Predicates, SeeDifferencesBelowTheRoundingOfDoubles) {
  const Vector3d a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  EXPECT_EQ(orient3d(a, b, c, {0.3, 0.3, 1e-300}), 1);
  EXPECT_EQ(orient3d(a, b, c, {0.3, 0.3, -1e-300}), -1);
  EXPECT_EQ(orient3d(a, b, c, {0.3, 0.3, 0}), 0);
  // The products of these sums round to the same double.
  const double e = 0x1p-52;
  EXPECT_EQ(orient2d({0, 0}, {1 + e, 1}, {1, 1 - e}), -1);
  EXPECT_EQ(orient2d({0, 0}, {1, 1 - e}, {1 + e, 1}), 1);
  EXPECT_EQ(orient2d({0.1, 0.1}, {0.2, 0.2}, {0.7, 0.7}), 0);
}

}  // namespace
}  // namespace pliant
