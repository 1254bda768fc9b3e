// SPDX-License-Identifier: MIT
#include "pliant/rigid/bake/inertia.hpp"

#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/simple_surfaces.hpp"
#include "pliant/base/error.hpp"
#include "rigid/bodies.hpp"

namespace pliant::test {
namespace {

void expect_same(const RigidInertia& a, const RigidInertia& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.centre - b.centre).norm(), tolerance * std::cbrt(b.mass));
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

// A prism over a regular polygon of n corners at distance r, from z = 0 to h.
SurfaceMesh prism(int n, double r, double h) {
  SurfaceMesh s;
  s.V.resize(3, 2 * n + 2);
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * i / n;
    s.V.col(i) << r * std::cos(angle), r * std::sin(angle), 0;
    s.V.col(n + i) = s.V.col(i) + Vector3d(0, 0, h);
  }
  s.V.col(2 * n) << 0, 0, 0;
  s.V.col(2 * n + 1) << 0, 0, h;
  s.F.resize(3, 4 * n);
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    s.F.col(4 * i) << i, j, n + j;
    s.F.col(4 * i + 1) << i, n + j, n + i;
    s.F.col(4 * i + 2) << j, i, 2 * n;
    s.F.col(4 * i + 3) << n + i, n + j, 2 * n + 1;
  }
  return s;
}

TEST(RigidInertia, OfABoxIsExact) {
  const Vector3d low(0.3, -0.2, 5.0), sides(0.1, 0.4, 0.2);
  expect_same(rigid_inertia(box_surface(low, low + sides)), box_inertia(sides, low + sides / 2),
              1e-13);
}

// m = n/2 r^2 sin(2 pi/n) h;  about the axis m r^2 (2 + cos(2 pi/n)) / 6, of the disc for large n.
TEST(RigidInertia, OfACylinderIsThatOfItsFacets) {
  for (const int n : {3, 7, 64}) {
    const double r = 0.2, h = 0.5, angle = 2 * std::numbers::pi / n;
    RigidInertia expected{n / 2.0 * r * r * std::sin(angle) * h, Vector3d(0, 0, h / 2),
                          Matrix3d::Zero()};
    const double axial = expected.mass * r * r * (2 + std::cos(angle)) / 6;
    const double across = axial / 2 + expected.mass * h * h / 12;
    expected.inertia.diagonal() << across, across, axial;
    expect_same(rigid_inertia(prism(n, r, h)), expected, 1e-12);
  }
}

TEST(RigidInertia, OfASphereIsReachedAsItsTrianglesGetSmaller) {
  const double r = 0.3;
  RigidInertia ball{4.0 / 3.0 * std::numbers::pi * r * r * r, Vector3d(1, 2, 3), Matrix3d::Zero()};
  ball.inertia = 0.4 * ball.mass * r * r * Matrix3d::Identity();
  const auto error = [&](int levels) {
    const RigidInertia unit = rigid_inertia(sphere_surface(r, levels, ball.centre));
    EXPECT_LT((unit.centre - ball.centre).norm(), 1e-12);
    return std::pair(1 - unit.mass / ball.mass, 1 - unit.inertia(0, 0) / ball.inertia(0, 0));
  };
  const auto coarse = error(4), fine = error(5);
  EXPECT_LT(fine.first, 2e-3);
  EXPECT_NEAR(coarse.first / fine.first, 4.0, 0.1);
  EXPECT_NEAR(coarse.second / fine.second, 4.0, 0.1);
}

TEST(RigidInertia, TurnsAndMovesWithTheBody) {
  SurfaceMesh box = box_surface(Vector3d::Zero(), Vector3d(0.1, 0.4, 0.2));
  const RigidInertia at_rest = rigid_inertia(box);
  const Eigen::Quaterniond R = rotation_by(Vector3d(0.3, -1.0, 0.6));
  const Vector3d p(3, -4, 5);
  for (Index i = 0; i < box.V.cols(); ++i) box.V.col(i) = R * Vector3d(box.V.col(i)) + p;
  const Matrix3d A = R.toRotationMatrix();
  expect_same(rigid_inertia(box),
              {at_rest.mass, A * at_rest.centre + p, A * at_rest.inertia * A.transpose()}, 1e-12);
}

TEST(RigidInertia, LeavesACavityOut) {
  const Vector3d outer(0.4, 0.4, 0.4), inner(0.2, 0.3, 0.1);
  SurfaceMesh wall = box_surface(-inner / 2, inner / 2);
  wall.F.row(1).swap(wall.F.row(2));
  const RigidInertia a = box_inertia(outer), b = box_inertia(inner);
  expect_same(rigid_inertia(joined(box_surface(-outer / 2, outer / 2), wall)),
              {a.mass - b.mass, Vector3d::Zero(), a.inertia - b.inertia}, 1e-12);
}

TEST(RigidInertia, RefusesASurfaceWithoutInside) {
  const SurfaceMesh box = box_surface(Vector3d::Zero(), Vector3d::Ones());
  const auto refused = [](const SurfaceMesh& surface, const char* why) {
    try {
      rigid_inertia(surface);
      ADD_FAILURE() << why;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(why));
    }
  };
  SurfaceMesh open = box;
  open.F.conservativeResize(3, 11);
  refused(open, "3 open edges");
  SurfaceMesh inside_out = box;
  inside_out.F.row(1).swap(inside_out.F.row(2));
  refused(inside_out, "inside out");
  // One of two bodies alone.
  SurfaceMesh beside = inside_out;
  beside.V.colwise() += Vector3d(5, 0, 0);
  refused(joined(box_surface(-Vector3d::Ones(), 2 * Vector3d::Ones()), beside), "inside out");
  SurfaceMesh turned = box;
  std::swap(turned.F(0, 4), turned.F(1, 4));
  refused(turned, "turned opposite ways");
  refused(SurfaceMesh{}, "no triangle");
}

}  // namespace
}  // namespace pliant::test
