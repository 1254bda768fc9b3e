// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_repair.hpp"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/simple_surfaces.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/hole_filling.hpp"
#include "pliant/mesh/merge_vertices.hpp"
#include "pliant/mesh/surface_report.hpp"

namespace pliant {
namespace {

using test::box_surface;
using test::joined;
using test::sphere_surface;

// Triangles that share no vertices, as in an STL file, shifted a little at random.
SurfaceMesh soup_of(const SurfaceMesh& mesh, double noise) {
  Random random(1);
  SurfaceMesh soup;
  soup.V.resize(3, 3 * mesh.face_count());
  soup.F.resize(3, mesh.face_count());
  for (int f = 0; f < mesh.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      soup.V.col(3 * f + k) = mesh.V.col(mesh.F(k, f));
      for (int a = 0; a < 3; ++a) soup.V(a, 3 * f + k) += noise * random.uniform(-1, 1);
      soup.F(k, f) = 3 * f + k;
    }
  }
  return soup;
}

void expect_sound(const SurfaceMesh& mesh, int components = 1) {
  const SurfaceReport r = inspect(mesh);
  EXPECT_TRUE(r.watertight);
  EXPECT_TRUE(r.vector_area_vanishes);
  EXPECT_EQ(r.components, components);
  EXPECT_EQ(r.inconsistent_edges, 0);
  EXPECT_EQ(r.inverted_components, 0);
  EXPECT_EQ(r.degenerate_triangles + r.duplicate_triangles + r.unused_vertices, 0);
  EXPECT_EQ(r.self_intersections.pairs, 0);
}

TEST(SurfaceRepair, LeavesASoundSurfaceAlone) {
  const SurfaceMesh ball = sphere_surface(1, 3);
  RepairReport report;
  const SurfaceMesh result = repair(ball, {}, report);
  EXPECT_EQ(result.V, ball.V);
  EXPECT_EQ(result.F, ball.F);
  EXPECT_TRUE(report.actions.empty());
}

TEST(SurfaceRepair, MergesASoup) {
  const SurfaceMesh ball = sphere_surface(1, 3);
  RepairReport report;
  expect_sound(repair(soup_of(ball, 0.0), {.merge_tolerance = 0}, report));
  EXPECT_EQ(report.merged_vertices, 3 * ball.face_count() - ball.vertex_count());
  EXPECT_EQ(report.removed_vertices, 0);
  const SurfaceMesh noisy = soup_of(ball, 1e-7);
  EXPECT_FALSE(
      inspect(repair(noisy, {.merge_tolerance = 0, .max_hole_edges = 0}, report)).watertight);
  const SurfaceMesh merged = repair(noisy, {.merge_tolerance = 1e-6}, report);
  expect_sound(merged);
  EXPECT_EQ(merged.vertex_count(), ball.vertex_count());
  ASSERT_EQ(report.actions.size(), 1u);
  EXPECT_THAT(report.actions[0], testing::HasSubstr("merged 1278 vertices"));
}

TEST(SurfaceRepair, OrientsAndTurnsOutwards) {
  SurfaceMesh ball = sphere_surface(1, 3);
  Random random(2);
  int turned = 0;
  for (int f = 0; f < ball.face_count(); ++f) {
    if (random.uniform() < 0.3) {
      std::swap(ball.F(0, f), ball.F(1, f));
      ++turned;
    }
  }
  RepairReport report;
  expect_sound(repair(ball, {}, report));
  EXPECT_EQ(report.turned_triangles, turned);
  EXPECT_EQ(report.turned_shells, 0);

  SurfaceMesh inside_out = sphere_surface(1, 3);
  inside_out.F.row(0).swap(inside_out.F.row(1));
  const SurfaceMesh right = repair(inside_out, {}, report);
  expect_sound(right);
  EXPECT_EQ(report.turned_shells, 1);
  EXPECT_GT(inspect(right).mass.volume, 4.0);

  // The wall of a cavity stays as it is.
  SurfaceMesh cavity = sphere_surface(0.4, 3);
  cavity.F.row(0).swap(cavity.F.row(1));
  const SurfaceMesh hollow = joined(sphere_surface(1, 3), cavity);
  EXPECT_EQ(repair(hollow, {}, report).F, hollow.F);

  EXPECT_EQ(repair(inside_out, {.orient = false}, report).F, inside_out.F);
}

TEST(SurfaceRepair, ClosesSmallHoles) {
  const SurfaceMesh ball = sphere_surface(1, 3);
  SurfaceMesh open = ball;
  open.group = VectorXi::Zero(ball.face_count());
  open.group_names = {"skin"};
  // Without all triangles around vertex 0 (4 of them), and without one elsewhere.
  int kept = 0;
  for (int f = 0; f < ball.face_count(); ++f) {
    if ((ball.F.col(f).array() == 0).any() || f == 200) continue;
    open.F.col(kept++) = ball.F.col(f);
  }
  open.F.conservativeResize(3, kept);
  open.group.conservativeResize(kept);
  RepairReport report;
  const SurfaceMesh closed = repair(open, {}, report);
  expect_sound(closed);
  EXPECT_EQ(report.filled_holes, 2);
  EXPECT_EQ(report.added_triangles, 3);
  EXPECT_EQ(report.removed_vertices, 1);
  EXPECT_EQ(closed.group.size(), closed.face_count());
  const SurfaceMesh partly = repair(open, {.max_hole_edges = 3}, report);
  EXPECT_EQ(report.filled_holes, 1);
  EXPECT_EQ(report.open_holes, 1);
  EXPECT_EQ(inspect(partly).boundary_edges, 4);
}

TEST(SurfaceRepair, DoesNotCloseTheRimOfASheet) {
  SurfaceMesh sheet;
  sheet.V.resize(3, 4);
  sheet.V << 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0;
  sheet.F.resize(3, 2);
  sheet.F << 0, 0, 1, 2, 2, 3;
  RepairReport report;
  EXPECT_EQ(repair(sheet, {}, report).face_count(), 2);
  EXPECT_EQ(report.open_holes, 1);
}

TEST(SurfaceRepair, HoleTriangulationHasTheLeastArea) {
  // A plane hole in the shape of an L: any triangulation that leaves it has more area.
  const std::vector<Vector3d> rim{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  SurfaceMesh skirt;
  skirt.V.resize(3, 12);
  skirt.F.resize(3, 12);
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    skirt.V.col(i) = rim[static_cast<std::size_t>(i)];
    skirt.V.col(6 + i) = rim[static_cast<std::size_t>(i)] - Vector3d(0, 0, 3);
    skirt.F.col(2 * i) << i, 6 + i, 6 + j;
    skirt.F.col(2 * i + 1) << i, 6 + j, j;
  }
  const HoleFilling filling = fill_holes(skirt.V, skirt.F, 100);
  EXPECT_EQ(filling.filled, 2);
  EXPECT_EQ(filling.triangles.size(), 8u);
  double area = 0;
  for (const Vector3i& t : filling.triangles) {
    area +=
        0.5 *
        (skirt.V.col(t[1]) - skirt.V.col(t[0])).cross(skirt.V.col(t[2]) - skirt.V.col(t[0])).norm();
  }
  EXPECT_NEAR(area, 2 * 3.0, 1e-12);
  SurfaceMesh closed = skirt;
  closed.F.conservativeResize(3, 20);
  for (int i = 0; i < 8; ++i) closed.F.col(12 + i) = filling.triangles[static_cast<std::size_t>(i)];
  EXPECT_TRUE(inspect(closed).watertight);
  EXPECT_EQ(inspect(closed).inconsistent_edges, 0);
  EXPECT_NEAR(std::abs(inspect(closed).mass.volume), 9.0, 1e-12);
}

TEST(SurfaceRepair, TakesOutFlatTrianglesWithoutTearing) {
  // A cube whose edge 0-1 is cut at its middle on one side only; a flat triangle fills the slit.
  SurfaceMesh mesh = box_surface(Vector3d::Zero(), Vector3d::Ones());
  mesh.V.conservativeResize(3, 9);
  mesh.V.col(8) = Vector3d(0.5, 0, 0);
  std::vector<Vector3i> faces;
  bool split = false;
  for (int f = 0; f < 12; ++f) {
    const Vector3i t = mesh.F.col(f);
    bool done = false;
    for (int k = 0; k < 3 && !split; ++k) {
      const int p = t[k], q = t[(k + 1) % 3], r = t[(k + 2) % 3];
      if (p + q != 1) continue;
      faces.emplace_back(p, 8, r);
      faces.emplace_back(8, q, r);
      faces.emplace_back(p, q, 8);
      done = split = true;
    }
    if (!done) faces.push_back(t);
  }
  ASSERT_TRUE(split);
  mesh.F.resize(3, static_cast<Index>(faces.size()));
  for (std::size_t i = 0; i < faces.size(); ++i) mesh.F.col(static_cast<Index>(i)) = faces[i];
  EXPECT_EQ(inspect(mesh).degenerate_triangles, 1);
  EXPECT_TRUE(inspect(mesh).watertight);
  RepairReport report;
  const SurfaceMesh result = repair(mesh, {.max_hole_edges = 0}, report);
  EXPECT_EQ(report.swapped_edges, 1);
  EXPECT_EQ(report.removed_degenerate, 1);
  expect_sound(result);
  EXPECT_NEAR(inspect(result).mass.volume, 1.0, 1e-12);

  // Without the flat triangle there is a slit, which is a hole of three edges without area.
  SurfaceMesh slit = mesh;
  slit.F.resize(3, 0);
  for (const Vector3i& t : faces) {
    const bool flat = (t.array() == 8).any() && (t.array() < 2).count() == 2;
    if (flat) continue;
    slit.F.conservativeResize(3, slit.F.cols() + 1);
    slit.F.rightCols(1) = t;
  }
  EXPECT_EQ(inspect(slit).boundary_edges, 3);
  expect_sound(repair(slit, {}, report));
  EXPECT_EQ(report.filled_holes, 1);
}

TEST(SurfaceRepair, RemovesDuplicatesAndTinyComponents) {
  const SurfaceMesh ball = sphere_surface(1, 3);
  SurfaceMesh mesh = joined(ball, sphere_surface(0.01, 1, Vector3d(2, 0, 0)));
  mesh.F.conservativeResize(3, mesh.face_count() + 2);
  mesh.F.rightCols(2) = mesh.F.leftCols(2);
  RepairReport report;
  expect_sound(repair(mesh, {}, report), 2);
  EXPECT_EQ(report.removed_duplicates, 2);
  expect_sound(repair(mesh, {.min_component_size = 0.05}, report));
  EXPECT_EQ(report.dropped_components, 1);
  EXPECT_EQ(report.dropped_triangles, 32);
}

TEST(SurfaceRepair, CancelsFoldsButKeepsWallsSeenFromBothSides) {
  // A fin without thickness on an edge of the ball: two triangles, back to back.
  SurfaceMesh ball = sphere_surface(1, 2);
  SurfaceMesh finned = ball;
  finned.V.conservativeResize(3, ball.vertex_count() + 1);
  finned.V.rightCols(1) = 1.5 * ball.V.col(ball.F(0, 0));
  const int a = ball.F(0, 0), b = ball.F(1, 0), tip = ball.vertex_count();
  finned.F.conservativeResize(3, ball.face_count() + 2);
  finned.F.col(ball.face_count()) << a, b, tip;
  finned.F.col(ball.face_count() + 1) << b, a, tip;
  RepairReport report;
  EXPECT_EQ(repair(finned, {}, report).F, ball.F);
  EXPECT_EQ(report.removed_folds, 2);

  // Copies that do not cancel leave the orientation that prevails.
  SurfaceMesh thrice = ball;
  thrice.F.conservativeResize(3, ball.face_count() + 2);
  thrice.F.rightCols(2).colwise() = ball.F.col(0);
  std::swap(thrice.F(0, 0), thrice.F(1, 0));
  expect_sound(repair(thrice, {}, report));
  EXPECT_EQ(report.removed_duplicates, 2);
  EXPECT_EQ(report.turned_triangles, 0);

  // A whole ball with every triangle twice, back to back, is no fold.
  SurfaceMesh both = ball;
  both.F.conservativeResize(3, 2 * ball.face_count());
  both.F.rightCols(ball.face_count()) = ball.F.colwise().reverse();
  EXPECT_EQ(repair(both, {}, report).F, ball.F);
  EXPECT_EQ(report.removed_duplicates, ball.face_count());
}

TEST(SurfaceRepair, RefusesWhatCannotBeMended) {
  const SurfaceMesh ball = sphere_surface(1, 1);
  RepairReport report;
  EXPECT_THROW(repair(SurfaceMesh{}, {}, report), Error);
  EXPECT_THROW(repair(ball, {.merge_tolerance = -1}, report), Error);
  EXPECT_THROW(repair(ball, {.max_hole_edges = 501}, report), Error);
  EXPECT_THROW(repair(ball, {.min_component_size = 1}, report), Error);
  SurfaceMesh line;
  line.V.resize(3, 3);
  line.V << 0, 1, 2, 0, 1, 2, 0, 1, 2;
  line.F = Vector3i(0, 1, 2);
  EXPECT_THROW(repair(line, {}, report), Error);
}

TEST(SurfaceRepair, SurvivesRandomSoups) {
  Random random(4);
  for (int t = 0; t < 300; ++t) {
    SurfaceMesh mesh;
    const int vertices = 3 + random.below(12);
    mesh.V.resize(3, vertices);
    for (double& x : mesh.V.reshaped()) x = random.below(4);  // many at the same place, flat, ...
    mesh.F.resize(3, 1 + random.below(40));
    for (int& v : mesh.F.reshaped()) v = random.below(vertices);
    RepairReport report;
    try {
      const SurfaceMesh result = repair(mesh, {.max_hole_edges = 10}, report);
      const SurfaceReport r = inspect(result);
      EXPECT_EQ(r.degenerate_triangles + r.duplicate_triangles + r.unused_vertices, 0) << t;
      EXPECT_TRUE(r.inconsistent_edges == 0 || !r.orientable) << t;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr("leaves no triangle"));
    }
  }
}

TEST(MergedVertices, FollowChainsOfSteps) {
  Matrix3Xd V(3, 5);
  V << 0, 1, 0.9, 3, 1.8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0;
  EXPECT_EQ(merged_vertices(V, 0.95), (std::vector<int>{0, 0, 0, 3, 0}));
  EXPECT_EQ(merged_vertices(V, 0.5), (std::vector<int>{0, 1, 1, 3, 4}));
  V(0, 4) = 1;
  EXPECT_EQ(merged_vertices(V, 0.0), (std::vector<int>{0, 1, 2, 3, 1}));
}

}  // namespace
}  // namespace pliant
