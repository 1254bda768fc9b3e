// SPDX-License-Identifier: MIT
#include "pliant/base/bounds.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Bounds, HoldAllPointsTightly) {
  Matrix3Xd points(3, 3);
  points << 1, -2, 0.5, 4, 6, 5, 0, 0, -1;
  const Eigen::AlignedBox3d box = bounds(points);
  EXPECT_EQ(box.min(), Vector3d(-2, 4, -1));
  EXPECT_EQ(box.max(), Vector3d(1, 6, 0));
  EXPECT_TRUE(bounds(Matrix3Xd(3, 0)).isEmpty());
}

TEST(Bounds, OfTrianglesLeaveOutPointsThatNoneUses) {
  Matrix3Xd points(3, 4);
  points << 0, 1, 0, 9, 0, 0, 1, 9, 2, 2, 2, 9;
  const Eigen::AlignedBox3d box = bounds(points, Vector3i(0, 1, 2));
  EXPECT_EQ(box.min(), Vector3d(0, 0, 2));
  EXPECT_EQ(box.max(), Vector3d(1, 1, 2));
  EXPECT_TRUE(bounds(points, Matrix3Xi(3, 0)).isEmpty());
}

}  // namespace
}  // namespace pliant
