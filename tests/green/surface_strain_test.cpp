// SPDX-License-Identifier: MIT
#include "pliant/green/surface_strain.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace pliant::test {
namespace {

// A square of two triangles; node 3 is held.
struct Square {
  Matrix3Xd rest{{0, 2, 0, 2}, {0, 0, 2, 2}, {1, 1, 1, 1}};
  Matrix3Xi triangles{{0, 1}, {1, 3}, {2, 2}};
  SurfaceStrain strain{rest, triangles, {0, 1, 2}, {0, 0, 0, 0}};

  double at(Index i, const Matrix3d& F) const {
    return strain.at(i, [&](int k) { return Vector3d(F * rest.col(k)); });
  }
};

TEST(SurfaceStrain, IsThatOfLengths) {
  const Square s;
  EXPECT_NEAR(s.at(0, Matrix3d::Identity()), 0, 1e-12);
  EXPECT_NEAR(s.at(0, Vector3d(1.2, 1, 1).asDiagonal()), 0.2, 1e-12);
  EXPECT_NEAR(s.at(0, Vector3d(1.1, 0.7, 1).asDiagonal()), 0.3, 1e-12);
  EXPECT_NEAR(s.at(0, Vector3d(1, 1, 5).asDiagonal()), 0, 1e-12) << "along the normal";
  // Simple shear: singular values g / 2 + sqrt(1 + g^2 / 4) and its inverse.
  Matrix3d shear = Matrix3d::Identity();
  shear(0, 1) = 0.4;
  EXPECT_NEAR(s.at(0, shear), 0.2 + std::sqrt(1.04) - 1, 1e-12);
}

TEST(SurfaceStrain, IsNotThatOfATurn) {
  const Square s;
  const Matrix3d R = Eigen::AngleAxisd(1.1, Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  EXPECT_NEAR(s.at(0, R), 0, 1e-12);
}

TEST(SurfaceStrain, HeldCornersStayAndThoseThatFollowAreLeftOut) {
  const Square s;
  EXPECT_GT(s.at(1, Vector3d(2, 2, 1).asDiagonal()), 0.9);
  const SurfaceStrain part(s.rest, s.triangles, {0, 1, 2}, {0, 0, 0, 1});
  const auto moved = [&](int k) { return Vector3d(k == 1 ? Vector3d(9, 9, 9) : s.rest.col(k)); };
  EXPECT_GT(part.at(0, moved), 1);
  const SurfaceStrain none(s.rest, s.triangles, {0, 1, 2}, {1, 0, 0, 1});
  EXPECT_EQ(none.at(1, moved), 0);
}

}  // namespace
}  // namespace pliant::test
