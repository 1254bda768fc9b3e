// SPDX-License-Identifier: MIT
#include "pliant/contact/voxmap.hpp"

#include <gtest/gtest.h>

#include "pliant/contact/bake/voxmap_of.hpp"
#include "solids.hpp"

namespace pliant {
namespace {

using test::Solid;

TEST(Voxmap, SaysWhereTheSurfaceIs) {
  const Solid ball = test::sphere();
  const DistanceField field = test::field_of(ball, {.resolution = 64});
  const Voxmap map(voxmap_of(field));
  const double h = map.voxel();
  Random random(1);
  for (int k = 0; k < 20000; ++k) {
    const Vector3d x = random.uniform(0, 1) * test::direction(random);
    const double d = ball.D(map.centre(x));
    const int wide = map.value(x);
    if (std::abs(d) > 0.6 * h) {
      EXPECT_EQ(wide < 0, d < 0);
      EXPECT_NEAR(std::abs(wide), std::abs(d) / h, 3.7);  // coarse cells
    } else if (std::abs(d) < 0.4 * h) {
      EXPECT_EQ(wide, 0);
      EXPECT_EQ(map.two_bits(x), 2);
    }
    if (wide < 0) {
      EXPECT_EQ(map.two_bits(x), 3);
    }
  }
  EXPECT_EQ(map.value({9, 9, 9}), 127);
  const Voxmap narrow(voxmap_of(field, two_bit_voxels));
  EXPECT_LT(2 * narrow.byte_count(), map.byte_count());
  for (int k = 0; k < 5000; ++k) {
    const Vector3d x = random.uniform(0, 1) * test::direction(random);
    EXPECT_EQ(narrow.two_bits(x), map.two_bits(x));
  }
  // Beyond the centre of its voxel a point is pushed back along its normal.
  const Vector3d x(0.7, 0.01, 0.01), inward(1, 0, 0);
  EXPECT_LE(map.depth(x, inward), h);
  EXPECT_EQ(map.depth({0, 0, 0}, inward), 0) << "inside nothing is felt";
}

}  // namespace
}  // namespace pliant
