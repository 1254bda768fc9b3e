// SPDX-License-Identifier: MIT
#include "pliant/mesh/isosurface.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "mesh/closed_surface.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

using std::numbers::pi;

ImplicitBody ball(double radius) {
  return {[radius](const Vector3d& x) { return x.norm() - radius; },
          {Vector3d::Constant(-radius), Vector3d::Constant(radius)}};
}

double smallest_angle(const SurfaceMesh& mesh) {
  double smallest = pi;
  for (int f = 0; f < mesh.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const Vector3d a = mesh.V.col(mesh.F(k, f));
      const Vector3d u = mesh.V.col(mesh.F((k + 1) % 3, f)) - a;
      const Vector3d v = mesh.V.col(mesh.F((k + 2) % 3, f)) - a;
      smallest = std::min(smallest, std::atan2(u.cross(v).norm(), u.dot(v)));
    }
  }
  return smallest * 180 / pi;
}

TEST(Isosurface, OfABallIsACloseSphereOfGoodTriangles) {
  const SurfaceMesh mesh = isosurface(ball(1.0), 0.1);
  const test::ClosedSurface closed = test::closed_surface(mesh);
  EXPECT_TRUE(closed.manifold);
  EXPECT_EQ(closed.euler, 2);
  EXPECT_NEAR(closed.volume, 4 * pi / 3, 0.015);
  for (int v = 0; v < mesh.vertex_count(); ++v) EXPECT_NEAR(mesh.V.col(v).norm(), 1, 1e-4);
  EXPECT_GT(smallest_angle(mesh), 25);
  // The header's rule of thumb for the number of triangles.
  EXPECT_NEAR(mesh.face_count(), 3.8 * 4 * pi / 0.01, 300);
}

TEST(Isosurface, OfATorusHasItsTopologyAndVolume) {
  const ImplicitBody torus{
      [](const Vector3d& x) { return std::hypot(std::hypot(x[0], x[1]) - 0.7, x[2]) - 0.2; },
      {Vector3d(-0.9, -0.9, -0.2), Vector3d(0.9, 0.9, 0.2)}};
  const SurfaceMesh mesh = isosurface(torus, 0.05);
  const test::ClosedSurface closed = test::closed_surface(mesh);
  EXPECT_TRUE(closed.manifold);
  EXPECT_EQ(closed.euler, 0);
  EXPECT_NEAR(closed.volume, 2 * pi * pi * 0.7 * 0.04, 0.01);
  EXPECT_GT(smallest_angle(mesh), 20);
}

TEST(Isosurface, StaysAManifoldWhereSheetsAreThinnerThanTheLattice) {
  // A gyroid sheet that gets thinner than a cell, cut by the box, and two balls that barely touch.
  const ImplicitBody gyroid{[](const Vector3d& x) {
                              const Vector3d y = 9 * x;
                              const double g = std::sin(y[0]) * std::cos(y[1]) +
                                               std::sin(y[1]) * std::cos(y[2]) +
                                               std::sin(y[2]) * std::cos(y[0]);
                              return std::abs(g) / 16 - 0.03 * (x[0] + 1);
                            },
                            {Vector3d::Constant(-1), Vector3d::Constant(1)}};
  for (const double cell : {0.083, 0.11}) {
    const test::ClosedSurface closed = test::closed_surface(isosurface(gyroid, cell));
    EXPECT_TRUE(closed.manifold) << cell;
    EXPECT_GT(closed.volume, 0);
  }
  const ImplicitBody touching{[](const Vector3d& x) {
                                return std::min((x - Vector3d(0.5, 0.1, 0)).norm(),
                                                (x + Vector3d(0.5, -0.1, 0)).norm()) -
                                       0.5;
                              },
                              {Vector3d(-1, -0.4, -0.5), Vector3d(1, 0.6, 0.5)}};
  EXPECT_TRUE(test::closed_surface(isosurface(touching, 0.07)).manifold);
}

TEST(Isosurface, IsClosedByTheBoxOfABodyThatLeavesIt) {
  const ImplicitBody half{[](const Vector3d& x) { return x[2]; },
                          {Vector3d::Constant(-1), Vector3d::Constant(1)}};
  const test::ClosedSurface closed = test::closed_surface(isosurface(half, 0.2));
  EXPECT_TRUE(closed.manifold);
  EXPECT_NEAR(closed.volume, 4, 0.2);
}

TEST(Isosurface, IsTheSameForAnyNumberOfThreadsAndForASteeperFunction) {
  set_threads(1);
  const SurfaceMesh one = isosurface(ball(0.4), 0.03);
  set_threads(2);
  const SurfaceMesh two = isosurface(ball(0.4), 0.03);
  set_threads(0);
  EXPECT_EQ(one.F, two.F);
  EXPECT_EQ(one.V, two.V);
  ImplicitBody steep = ball(0.4);
  steep.f = [](const Vector3d& x) { return 8 * (x.norm() - 0.4); };
  const SurfaceMesh all = isosurface(steep, 0.03, {.lipschitz = 8});
  EXPECT_EQ(one.F, all.F);
}

TEST(Isosurface, RefusesWhatHasNoSurface) {
  EXPECT_THROW(isosurface(ball(1), 0), Error);
  EXPECT_THROW(isosurface(ball(1), NAN), Error);
  EXPECT_THROW(isosurface(ball(1), 1e-9), Error);
  EXPECT_THROW(isosurface({ball(1).f, {}}, 0.1), Error);
  ImplicitBody none = ball(1);
  none.f = [](const Vector3d&) { return 1.0; };
  EXPECT_THROW(isosurface(none, 0.1), Error);
  none.f = [](const Vector3d&) { return NAN; };
  EXPECT_THROW(isosurface(none, 0.1), Error);
}

}  // namespace
}  // namespace pliant
