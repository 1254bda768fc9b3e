// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/polygons.hpp"

#include <algorithm>
#include <numbers>

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"

namespace pliant::io {
namespace {

// One polygon through all points in turn.
PolygonMesh polygon(const std::vector<Vector3d>& points) {
  PolygonMesh mesh;
  mesh.points = points;
  for (std::size_t i = 0; i < points.size(); ++i) mesh.corners.push_back(static_cast<int>(i));
  mesh.end_polygon();
  return mesh;
}

// The vector area of each triangle.
std::vector<Vector3d> areas(const SurfaceMesh& mesh) {
  std::vector<Vector3d> areas;
  for (const auto& t : mesh.F.colwise()) {
    const Vector3d a = mesh.V.col(t[0]), b = mesh.V.col(t[1]), c = mesh.V.col(t[2]);
    areas.push_back(0.5 * (b - a).cross(c - a));
  }
  return areas;
}

// All triangles must look the way `normal` does, and together have this area: then they cover the
// polygon once.
void expect_exact_cover(const SurfaceMesh& mesh, const Vector3d& normal, double area) {
  double sum = 0.0;
  for (const Vector3d& a : areas(mesh)) {
    EXPECT_GT(a.dot(normal), 0.0);
    sum += a.norm();
  }
  EXPECT_NEAR(sum, area, 1e-12 * area);
}

TEST(Polygons, ConvexOnesBecomeAFan) {
  ReadReport report;
  const SurfaceMesh mesh =
      triangulate(polygon({{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {1, 2, 0}, {0, 1, 0}}), "f", report);
  Matrix3Xi fan(3, 3);
  fan << 0, 0, 0, 1, 2, 3, 2, 3, 4;
  EXPECT_EQ(mesh.F, fan);
  EXPECT_TRUE(report.repairs.empty());
}

TEST(Polygons, ConcaveOnesAreCoveredOnce) {
  // An arrow head, whose fan from corner 0 would leave it.
  ReadReport report;
  expect_exact_cover(
      triangulate(polygon({{0, 2, 5}, {-1, -1, 5}, {0, 0, 5}, {1, -1, 5}}), "f", report),
      Vector3d::UnitZ(), 2.0);
  EXPECT_TRUE(report.repairs.empty());
}

TEST(Polygons, ConcaveOnesAreCoveredOnceInAnyPlane) {
  // Stars with random rays in random planes.
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector3d n = Vector3d(random.normal(), random.normal(), random.normal()).normalized();
    const Vector3d u = n.unitOrthogonal(), v = n.cross(u);
    const int corners = 4 + trial;
    std::vector<Vector3d> points;
    double area = 0.0;
    std::vector<double> radius;
    for (int i = 0; i < corners; ++i) radius.push_back(0.2 + random.uniform());
    const double step = 2 * std::numbers::pi / corners;
    for (int i = 0; i < corners; ++i) {
      const double r = radius[static_cast<std::size_t>(i)];
      area += 0.5 * r * radius[static_cast<std::size_t>((i + 1) % corners)] * std::sin(step);
      points.push_back(1e3 * n + r * (std::cos(step * i) * u + std::sin(step * i) * v));
    }
    ReadReport report;
    const SurfaceMesh mesh = triangulate(polygon(points), "f", report);
    EXPECT_EQ(mesh.face_count(), corners - 2);
    double sum = 0.0;
    for (const Vector3d& a : areas(mesh)) {
      EXPECT_GT(a.dot(n), 0.0);
      sum += a.norm();
    }
    EXPECT_NEAR(sum, area, 1e-9);
    EXPECT_TRUE(report.repairs.empty());
  }
}

TEST(Polygons, CombsAndSpiralsAreCoveredOnce) {
  std::vector<Vector3d> comb;
  const int teeth = 40;
  for (int i = 0; i < teeth; ++i) {
    comb.emplace_back(2.0 * i, 1, 0);
    comb.emplace_back(2.0 * i + 1, 10, 0);
  }
  comb.emplace_back(2.0 * teeth, 1, 0);
  comb.emplace_back(2.0 * teeth, 0, 0);
  comb.emplace_back(0, 0, 0);
  ReadReport report;
  expect_exact_cover(triangulate(polygon(comb), "f", report), -Vector3d::UnitZ(),
                     2.0 * teeth + teeth * 9.0);

  std::vector<Vector3d> spiral;
  double area = 0.0;
  const int n = 200;
  for (const bool back : {false, true}) {
    for (int k = 0; k < n; ++k) {
      const int i = back ? n - 1 - k : k;
      const double r = (back ? 0.8 : 1.0) * (1.0 + i / 20.0), a = i * 0.1;
      spiral.emplace_back(r * std::cos(a), r * std::sin(a), 0);
    }
  }
  for (std::size_t i = 0; i < spiral.size(); ++i) {
    area += 0.5 * spiral[i].cross(spiral[(i + 1) % spiral.size()]).z();
  }
  expect_exact_cover(triangulate(polygon(spiral), "f", report),
                     area > 0 ? Vector3d(Vector3d::UnitZ()) : Vector3d(-Vector3d::UnitZ()),
                     std::abs(area));
  EXPECT_TRUE(report.repairs.empty());
}

TEST(Polygons, KeepCornersInTheMiddleOfAnEdge) {
  // A square with the middle of each side: no corner is lost, so the neighbours still fit.
  const std::vector<Vector3d> square = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                        {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
  for (std::size_t shift = 0; shift < square.size(); ++shift) {
    std::vector<Vector3d> points = square;
    std::rotate(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(shift), points.end());
    ReadReport report;
    const SurfaceMesh mesh = triangulate(polygon(points), "f", report);
    EXPECT_EQ(mesh.face_count(), 6);
    EXPECT_EQ(mesh.vertex_count(), 8);
    expect_exact_cover(mesh, Vector3d::UnitZ(), 4.0);
    EXPECT_TRUE(report.repairs.empty());
  }
}

TEST(Polygons, MayHaveAHoleJoinedByABridge) {
  // A square around a square hole, joined by an edge there and back.
  PolygonMesh mesh;
  mesh.points = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0},
                 {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}};
  mesh.corners = {0, 1, 2, 3, 0, 4, 5, 6, 7, 4};
  mesh.end_polygon();
  ReadReport report;
  expect_exact_cover(triangulate(mesh, "f", report), Vector3d::UnitZ(), 8.0);
}

TEST(Polygons, OfTwoCornersAndThoseThatCrossThemselvesAreReported) {
  PolygonMesh mesh;
  mesh.points = {{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0.0}, {-1, 1, 0}};
  mesh.corners = {0, 1};
  mesh.end_polygon();
  mesh.corners.insert(mesh.corners.end(), {0, 1, 2, 3, 4});
  mesh.end_polygon();
  ReadReport report;
  const SurfaceMesh out = triangulate(mesh, "f", report);
  EXPECT_EQ(out.face_count(), 3);
  EXPECT_THAT(report.repairs, testing::ElementsAre("dropped 1 polygons of less than three corners",
                                                   "cut 1 polygons that cross themselves"));
}

TEST(Polygons, KeepTheirGroup) {
  PolygonMesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.corners = {0, 1, 2, 3, 0, 1, 4};
  mesh.ends = {4, 7};
  mesh.group = {1, 0};
  mesh.group_names = {"a", "b"};
  ReadReport report;
  const SurfaceMesh out = triangulate(mesh, "f", report);
  EXPECT_EQ(out.group, Vector3i(1, 1, 0));
}

TEST(Polygons, WithTooManyCornersToCutAreRefused) {
  // Corners on a line have no ear at all.
  std::vector<Vector3d> points;
  for (int i = 0; i < 20'000; ++i) points.emplace_back(i, i % 2 ? 0.0 : 1e-16 * i, 0);
  ReadReport report;
  EXPECT_THROW(triangulate(polygon(points), "f", report), Error);
}

}  // namespace
}  // namespace pliant::io
