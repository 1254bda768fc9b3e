// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_report.hpp"

#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "mesh/simple_surfaces.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"

namespace pliant {
namespace {

using test::box_surface;
using test::joined;
using test::sphere_surface;

SurfaceMesh torus(int n, int m) {
  SurfaceMesh mesh;
  mesh.V.resize(3, n * m);
  mesh.F.resize(3, 2 * n * m);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const double u = 2 * std::numbers::pi * i / n, v = 2 * std::numbers::pi * j / m;
      mesh.V.col(i * m + j) << (1 + 0.3 * std::cos(v)) * std::cos(u),
          (1 + 0.3 * std::cos(v)) * std::sin(u), 0.3 * std::sin(v);
      const int i1 = (i + 1) % n, j1 = (j + 1) % m;
      mesh.F.col(2 * (i * m + j)) << i * m + j, i1 * m + j, i1 * m + j1;
      mesh.F.col(2 * (i * m + j) + 1) << i * m + j, i1 * m + j1, i * m + j1;
    }
  }
  return mesh;
}

// n by n squares in a tilted plane, two triangles each.
SurfaceMesh sheet(int n) {
  SurfaceMesh mesh;
  mesh.V.resize(3, (n + 1) * (n + 1));
  mesh.F.resize(3, 2 * n * n);
  const auto at = [n](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      mesh.V.col(at(i, j)) = 0.1 * i * Vector3d(1, 0.3, -0.2) + 0.1 * j * Vector3d(-0.1, 1, 0.7);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      mesh.F.col(2 * (i * n + j)) << at(i, j), at(i + 1, j), at(i + 1, j + 1);
      mesh.F.col(2 * (i * n + j) + 1) << at(i, j), at(i + 1, j + 1), at(i, j + 1);
    }
  }
  return mesh;
}

TEST(SurfaceReport, OfAClosedSurfaceFindsNothingWrong) {
  const SurfaceReport r = inspect(torus(24, 16));
  EXPECT_EQ(r.vertices, 384);
  EXPECT_EQ(r.triangles, 768);
  EXPECT_EQ(r.edges, 1152);
  EXPECT_EQ(r.unused_vertices + r.degenerate_triangles + r.duplicate_triangles, 0);
  EXPECT_EQ(r.boundary_edges + r.non_manifold_edges + r.non_manifold_vertices, 0);
  EXPECT_EQ(r.inconsistent_edges + r.inverted_components + r.cavities, 0);
  EXPECT_EQ(r.components, 1);
  EXPECT_EQ(r.euler_characteristic, 0);
  EXPECT_EQ(r.genus, 1);
  EXPECT_TRUE(r.orientable && r.watertight && r.vector_area_vanishes);
  EXPECT_EQ(r.self_intersections.pairs, 0);
  EXPECT_TRUE(r.self_intersections.complete);
  EXPECT_EQ(inspect(sphere_surface(1, 3)).genus, 0);
}

TEST(SurfaceReport, IntegratesTheBodyExactly) {
  SurfaceMesh box = box_surface(Vector3d(10, 20, 30), Vector3d(11, 22, 33));
  const MassProperties m = inspect(box).mass;
  EXPECT_NEAR(m.volume, 6.0, 1e-12);
  EXPECT_LT((m.centre_of_mass - Vector3d(10.5, 21, 31.5)).norm(), 1e-12);
  const Vector3d expected = 6.0 / 12.0 * Vector3d(4 + 9, 1 + 9, 1 + 4);
  EXPECT_LT((m.inertia - Matrix3d(expected.asDiagonal())).norm(), 1e-11);
  EXPECT_NEAR(inspect(box).area, 22.0, 1e-12);

  // Turned and moved, the inertia turns along.
  const Matrix3d R = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  box.V = (R * box.V).colwise() + Vector3d(1, -2, 3);
  const MassProperties turned = mass_properties(box);
  EXPECT_LT((turned.inertia - R * m.inertia * R.transpose()).norm(), 1e-11);
  EXPECT_LT((turned.centre_of_mass - (R * m.centre_of_mass + Vector3d(1, -2, 3))).norm(), 1e-11);

  // The inscribed polyhedron of a sphere converges to it.
  const MassProperties ball = mass_properties(sphere_surface(1, 5));
  EXPECT_NEAR(ball.volume, 4.0 / 3.0 * std::numbers::pi, 0.01);
  EXPECT_NEAR(ball.inertia(1, 1), 8.0 / 15.0 * std::numbers::pi, 0.01);
}

TEST(SurfaceReport, FindsHolesAndDisagreeingTriangles) {
  SurfaceMesh open = sphere_surface(1, 2);
  open.F.conservativeResize(3, open.F.cols() - 1);
  const SurfaceReport r = inspect(open);
  EXPECT_EQ(r.boundary_edges, 3);
  EXPECT_FALSE(r.watertight);
  EXPECT_FALSE(r.vector_area_vanishes);
  EXPECT_FALSE(r.genus.has_value());

  SurfaceMesh turned = sphere_surface(1, 2);
  std::swap(turned.F(0, 5), turned.F(1, 5));
  const SurfaceReport t = inspect(turned);
  EXPECT_EQ(t.inconsistent_edges, 3);
  EXPECT_TRUE(t.watertight);
  EXPECT_TRUE(t.orientable);
  EXPECT_FALSE(t.vector_area_vanishes);
}

TEST(SurfaceReport, TellsCavitiesFromInvertedBodies) {
  SurfaceMesh inner = sphere_surface(0.5, 2);
  inner.F.row(0).swap(inner.F.row(1));
  const SurfaceMesh ball = sphere_surface(1, 2);
  const SurfaceReport hollow = inspect(joined(ball, inner));
  EXPECT_EQ(hollow.cavities, 1);
  EXPECT_EQ(hollow.inverted_components, 0);
  EXPECT_EQ(hollow.components, 2);
  EXPECT_EQ(hollow.genus, 0);
  EXPECT_NEAR(hollow.mass.volume, inspect(ball).mass.volume * 7 / 8, 1e-12);
  EXPECT_EQ(inspect(inner).inverted_components, 1);
  EXPECT_LT(inspect(inner).mass.volume, 0.0);
  SurfaceMesh beside = inner;
  beside.V.row(0).array() += 5;
  EXPECT_EQ(inspect(joined(ball, beside)).inverted_components, 1);
}

TEST(SurfaceReport, FindsNonManifoldEdgesAndVertices) {
  // Two cubes that share an edge; two that share a corner.
  SurfaceMesh edge = joined(box_surface(Vector3d::Zero(), Vector3d::Ones()),
                            box_surface(Vector3d(1, 1, 0), Vector3d(2, 2, 1)));
  for (int& v : edge.F.reshaped()) {
    if (v == 8) v = 3;
    if (v == 12) v = 7;
  }
  const SurfaceReport e = inspect(edge);
  EXPECT_EQ(e.non_manifold_edges, 1);
  EXPECT_EQ(e.components, 1);
  EXPECT_EQ(e.unused_vertices, 2);
  EXPECT_FALSE(e.watertight);
  EXPECT_TRUE(e.vector_area_vanishes);

  SurfaceMesh corner = joined(box_surface(Vector3d::Zero(), Vector3d::Ones()),
                              box_surface(Vector3d::Ones(), Vector3d::Constant(2)));
  for (int& v : corner.F.reshaped()) v = v == 8 ? 7 : v;
  const SurfaceReport c = inspect(corner);
  EXPECT_EQ(c.non_manifold_vertices, 1);
  EXPECT_EQ(c.components, 2);
  EXPECT_FALSE(c.genus.has_value());
  EXPECT_EQ(c.self_intersections.pairs, 0) << "they share the vertex";
}

TEST(SurfaceReport, SeesThatAMoebiusStripIsOneSided) {
  SurfaceMesh strip;
  const int n = 12;
  strip.V.resize(3, 2 * n);
  strip.F.resize(3, 2 * n);
  for (int i = 0; i < n; ++i) {
    const double u = 2 * std::numbers::pi * i / n;
    for (int s = 0; s < 2; ++s) {
      const double w = s ? 0.2 : -0.2;
      strip.V.col(2 * i + s) << (1 + w * std::cos(u / 2)) * std::cos(u),
          (1 + w * std::cos(u / 2)) * std::sin(u), w * std::sin(u / 2);
    }
    const bool last = i == n - 1;
    const int a = 2 * i, b = 2 * i + 1, c = last ? 1 : a + 2, d = last ? 0 : b + 2;
    strip.F.col(2 * i) << a, c, b;
    strip.F.col(2 * i + 1) << b, c, d;
  }
  EXPECT_FALSE(inspect(strip).orientable);
  EXPECT_EQ(inspect(strip).self_intersections.pairs, 0);
}

TEST(SurfaceReport, CountsDegenerateAndDuplicateTriangles) {
  SurfaceMesh mesh = box_surface(Vector3d::Zero(), Vector3d::Ones());
  mesh.V.conservativeResize(3, 9);
  mesh.V.col(8) = 0.5 * (mesh.V.col(0) + mesh.V.col(7));
  mesh.F.conservativeResize(3, 16);
  mesh.F.col(12) << 0, 8, 7;                                   // on a line
  mesh.F.col(13) << 0, 0, 3;                                   // a repeated vertex
  mesh.F.col(14) << mesh.F(1, 0), mesh.F(2, 0), mesh.F(0, 0);  // the first one again
  mesh.F.col(15) << mesh.F(1, 1), mesh.F(0, 1), mesh.F(2, 1);  // the second one, turned
  const SurfaceReport r = inspect(mesh);
  EXPECT_EQ(r.degenerate_triangles, 2);
  EXPECT_EQ(r.duplicate_triangles, 2);
  EXPECT_EQ(r.self_intersections.pairs, 0) << "equal triangles are reported as such";
}

TEST(SurfaceSelfIntersections, AreNoneInFlatAndFannedSurfaces) {
  EXPECT_EQ(count_self_intersections(sheet(30)).pairs, 0);
  EXPECT_EQ(count_self_intersections(box_surface(Vector3d::Zero(), Vector3d::Ones())).pairs, 0);
  EXPECT_EQ(count_self_intersections(sphere_surface(1, 4)).pairs, 0);
  // The same soup without shared indices.
  const SurfaceMesh s = sheet(5);
  SurfaceMesh soup;
  soup.V.resize(3, 3 * s.face_count());
  soup.F.resize(3, s.face_count());
  for (int f = 0; f < s.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      soup.V.col(3 * f + k) = s.V.col(s.F(k, f));
      soup.F(k, f) = 3 * f + k;
    }
  }
  EXPECT_EQ(count_self_intersections(soup).pairs, 0);
}

SurfaceMesh pair_of(const std::array<Vector3d, 6>& p) {
  SurfaceMesh mesh;
  mesh.V.resize(3, 6);
  for (std::size_t i = 0; i < 6; ++i) mesh.V.col(static_cast<Index>(i)) = p[i];
  mesh.F.resize(3, 2);
  mesh.F << 0, 3, 1, 4, 2, 5;
  return mesh;
}

TEST(SurfaceSelfIntersections, KnowEveryWayTwoTrianglesMeet) {
  const Vector3d a(0, 0, 0), b(2, 0, 0), c(0, 2, 0);
  const auto meets = [&](const Vector3d& p, const Vector3d& q, const Vector3d& r) {
    return count_self_intersections(pair_of({a, b, c, p, q, r})).pairs == 1;
  };
  EXPECT_TRUE(meets({0.5, 0.5, -1}, {0.5, 0.5, 1}, {3, 3, 0.5})) << "pierced";
  EXPECT_FALSE(meets({1.5, 1.5, -1}, {1.5, 1.5, 1}, {3, 3, 0.5})) << "beside it";
  EXPECT_TRUE(meets({0.5, 0.5, 0}, {1, 1, 1}, {1, 0.5, 1})) << "a corner stands on it";
  EXPECT_FALSE(meets({0.5, 0.5, 1e-15}, {1, 1, 1}, {1, 0.5, 1})) << "a corner hovers over it";
  EXPECT_TRUE(meets({1, 0, 0}, {1, -1, 1}, {1, -1, -1})) << "a corner touches an edge";
  EXPECT_TRUE(meets({0.2, 0.2, 0}, {0.4, 0.2, 0}, {0.2, 0.4, 0})) << "inside, in the plane";
  EXPECT_TRUE(meets({-5, -5, 0}, {9, -5, 0}, {-5, 9, 0})) << "around, in the plane";
  EXPECT_TRUE(meets({1, -1, 0}, {3, 1, 0}, {3, -1, 0})) << "edge along edge in the plane";
  EXPECT_FALSE(meets({3, 0, 0}, {4, 0, 0}, {3, 1, 0})) << "beside it in the plane";
  // With a shared corner.
  EXPECT_FALSE(meets(a, {-1, 0, 1}, {0, -1, 1})) << "only the corner";
  EXPECT_TRUE(meets(a, {1, 1, 1}, {1, 1, -1})) << "cuts through from the corner";
  EXPECT_TRUE(meets(a, {1, 0, 0}, {0, -1, 1})) << "along a part of the edge";
  EXPECT_FALSE(meets(a, {-1, 0, 0}, {0, -1, 0})) << "opposite in the plane";
  EXPECT_TRUE(meets(a, {1, 0.5, 0}, {0.5, 1, 0})) << "inside the angle in the plane";
  // With a shared edge.
  EXPECT_FALSE(meets(b, a, {0, -2, 0})) << "flat";
  EXPECT_FALSE(meets(b, a, {1, 1, 1e-15})) << "folded, nearly closed";
  EXPECT_TRUE(meets(b, a, {1, 1, 0})) << "folded onto it";
}

TEST(SurfaceSelfIntersections, CountAllPairsWhateverTheOrder) {
  // Two spheres through each other, against a test of every pair alone.
  SurfaceMesh two = joined(sphere_surface(1, 2), sphere_surface(1, 2, Vector3d(0.7, 0.1, 0.2)));
  std::int64_t expected = 0;
  for (int f = 0; f < two.face_count(); ++f) {
    for (int g = f + 1; g < two.face_count(); ++g) {
      std::array<Vector3d, 6> p;
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] = two.V.col(two.F(static_cast<Index>(k), f));
        p[k + 3] = two.V.col(two.F(static_cast<Index>(k), g));
      }
      expected += count_self_intersections(pair_of(p)).pairs;
    }
  }
  EXPECT_GT(expected, 20);
  set_threads(3);
  const SelfIntersections found = count_self_intersections(two);
  set_threads(0);
  EXPECT_EQ(found.pairs, expected);
  ASSERT_GE(found.first[0], 0);
  EXPECT_EQ(inspect(two).self_intersections.pairs, expected);
  // The scale of the model does not matter.
  two.V *= 1e-90;
  EXPECT_EQ(count_self_intersections(two).pairs, expected);
}

TEST(SurfaceSelfIntersections, StopAtTheLimit) {
  Random random(3);
  SurfaceMesh soup;
  const int n = 1000;
  soup.V.resize(3, 3 * n);
  for (double& x : soup.V.reshaped()) x = random.uniform();
  soup.F.resize(3, n);
  for (int i = 0; i < 3 * n; ++i) soup.F(i % 3, i / 3) = i;
  const SelfIntersections found = count_self_intersections(soup, 1000);
  EXPECT_FALSE(found.complete);
  EXPECT_GE(found.pairs, 1000);
}

TEST(SurfaceReport, RefusesWhatIsNoSurface) {
  EXPECT_THROW(inspect(SurfaceMesh{}), Error);
  SurfaceMesh bad = box_surface(Vector3d::Zero(), Vector3d::Ones());
  bad.F(0, 0) = -1;
  EXPECT_THROW(inspect(bad), Error);
}

}  // namespace
}  // namespace pliant
