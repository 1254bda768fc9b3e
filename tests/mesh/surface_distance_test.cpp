// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_distance.hpp"

#include <gmock/gmock.h>

#include "mesh/simple_surfaces.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"

namespace pliant {
namespace {

using test::box_surface;
using test::joined;
using test::sphere_surface;

Vector3d random_point(Random& random, double range) {
  Vector3d p;
  for (double& x : p) x = random.uniform(-range, range);
  return p;
}

double box_distance(const Vector3d& p, const Vector3d& half) {
  const Vector3d q = p.cwiseAbs() - half;
  return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
}

// Distance from a triangle by projection on the plane and on the three sides, apart from the
// library's way by regions.
double triangle_distance(const Vector3d& p, const Vector3d& a, const Vector3d& b,
                         const Vector3d& c) {
  const auto segment = [&](const Vector3d& u, const Vector3d& v) {
    const double t = std::clamp((p - u).dot(v - u) / (v - u).squaredNorm(), 0.0, 1.0);
    return (p - u - t * (v - u)).norm();
  };
  double d = std::min({segment(a, b), segment(b, c), segment(c, a)});
  Eigen::Matrix<double, 3, 2> S;
  S << b - a, c - a;
  const Eigen::Vector2d w = (S.transpose() * S).inverse() * S.transpose() * (p - a);
  if (w.minCoeff() >= 0 && w.sum() <= 1) d = std::min(d, (a + S * w - p).norm());
  return d;
}

double brute_distance(const SurfaceMesh& s, const Vector3d& p) {
  double d = 1e300;
  for (int f = 0; f < s.face_count(); ++f) {
    d = std::min(d,
                 triangle_distance(p, s.V.col(s.F(0, f)), s.V.col(s.F(1, f)), s.V.col(s.F(2, f))));
  }
  return d;
}

double brute_winding(const SurfaceMesh& s, const Vector3d& p) {
  double sum = 0;
  for (int f = 0; f < s.face_count(); ++f) {
    const Vector3d a = s.V.col(s.F(0, f)) - p, b = s.V.col(s.F(1, f)) - p,
                   c = s.V.col(s.F(2, f)) - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)),
                          la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

SurfaceMesh without_triangles(const SurfaceMesh& s, int count) {
  SurfaceMesh open = s;
  open.F = s.F.leftCols(s.face_count() - count).eval();
  return open;
}

// Wrong if a pseudonormal of an edge or a vertex gave the wrong side.
TEST(SurfaceDistance, IsThatOfABoxAlsoBeyondItsEdgesAndVertices) {
  const Vector3d half(1, 2, 0.5);
  const SurfaceDistance distance(box_surface(-half, half));
  for (double x = -3; x <= 3; x += 0.25) {
    for (double y = -3; y <= 3; y += 0.25) {
      for (double z = -3; z <= 3; z += 0.25) {
        const Vector3d p(x, y, z);
        ASSERT_NEAR(distance(p), box_distance(p, half), 1e-14) << p.transpose();
      }
    }
  }
}

// A needle: the two faces at an edge look the same from its tip, and only a weighted normal tells
// the side. Wrong if face normals were used, or vertex normals without angles.
TEST(SurfaceDistance, HasTheRightSignAtSharpTips) {
  SurfaceMesh needle;
  needle.V.resize(3, 4);
  needle.V.transpose() << -0.01, -0.01, 0, 0.02, 0, 0, -0.01, 0.03, 0, 0.5, 0.1, 3;
  needle.F.resize(3, 4);
  needle.F.transpose() << 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3;
  const SurfaceDistance distance(needle);
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const Vector3d p = needle.V.col(i % 4) + random_point(random, 0.2);
    const bool inside = brute_winding(needle, p) > 0.5;
    ASSERT_EQ(distance(p) < 0, inside) << p.transpose();
  }
}

TEST(SurfaceDistance, ConvergesToThatOfASphere) {
  const SurfaceMesh sphere = sphere_surface(2, 5, {1, 0, 0});
  const SurfaceDistance distance(sphere);
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = random_point(random, 4);
    const double exact = (p - Vector3d(1, 0, 0)).norm() - 2;
    ASSERT_NEAR(distance(p), exact, 2 * 1.5e-3);  // the facets lie less than h^2 / 8R inside
  }
}

TEST(SurfaceDistance, AgreesWithEveryTriangleTriedInTurn) {
  // Random triangles of very different sizes and shapes.
  Random random(7);
  SurfaceMesh soup;
  const int triangles = 300;
  soup.V.resize(3, 3 * triangles);
  soup.F.resize(3, triangles);
  for (int f = 0; f < triangles; ++f) {
    const Vector3d at = random_point(random, 1);
    const double size = std::pow(10.0, random.uniform(-4, 0));
    for (int k = 0; k < 3; ++k) {
      soup.V.col(3 * f + k) = at + random_point(random, size);
      soup.F(k, f) = 3 * f + k;
    }
  }
  const SurfaceDistance distance(soup, DistanceSign::winding_number);
  for (int i = 0; i < 3000; ++i) {
    const Vector3d p = random_point(random, i % 3 == 0 ? 20 : 1.2);
    const ClosestPoint c = distance.closest(p);
    ASSERT_NEAR(std::abs(c.distance), brute_distance(soup, p), 1e-12 * (1 + p.norm()));
    ASSERT_NEAR((p - c.point).norm(), std::abs(c.distance), 1e-14 * (1 + p.norm()));
    const auto corner = [&](int k) { return Vector3d(soup.V.col(soup.F(k, c.triangle))); };
    ASSERT_LT(triangle_distance(c.point, corner(0), corner(1), corner(2)), 1e-12);
  }
}

TEST(SurfaceDistance, TakesDipolesCloseToTheExactWindingNumber) {
  const SurfaceMesh open = without_triangles(sphere_surface(1, 4), 500);
  const SurfaceDistance distance(open, DistanceSign::winding_number);
  Random random(5);
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector3d p = random_point(random, 1.5);
    worst = std::max(worst, std::abs(distance.winding_number(p) - brute_winding(open, p)));
  }
  EXPECT_LT(worst, 0.01);
  EXPECT_GT(worst, 0);
}

TEST(SurfaceDistance, RefusesAnOpenSurfaceAndCountsItsBoundaryEdges) {
  const SurfaceMesh open = without_triangles(box_surface({0, 0, 0}, {1, 1, 1}), 1);
  try {
    SurfaceDistance distance(open);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("3 boundary edges"));
  }
  const SurfaceDistance distance(open, DistanceSign::winding_number);
  EXPECT_LT(distance({0.2, 0.5, 0.5}), 0);
  EXPECT_GT(distance({-0.2, 0.5, 0.5}), 0);
}

TEST(SurfaceDistance, RefusesWhatHasNoInside) {
  const SurfaceMesh box = box_surface({0, 0, 0}, {1, 1, 1});
  SurfaceMesh flipped = box;
  std::swap(flipped.F(0, 4), flipped.F(1, 4));
  EXPECT_THAT([&] { SurfaceDistance d(flipped); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("3 of 18 edges")));
  SurfaceMesh reversed = box;
  reversed.F.row(0).swap(reversed.F.row(1));
  EXPECT_THAT([&] { SurfaceDistance d(reversed); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("inside out")));
  EXPECT_THROW(SurfaceDistance{SurfaceMesh{}}, Error);
  SurfaceMesh bad_index = box;
  bad_index.F(2, 5) = 8;
  EXPECT_THAT([&] { SurfaceDistance d(bad_index); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("triangle 5")));
  SurfaceMesh bad_position = box;
  bad_position.V(1, 3) = std::nan("");
  EXPECT_THAT([&] { SurfaceDistance d(bad_position); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("vertex 3")));
}

// STL files and seams of textures repeat vertices.
TEST(SurfaceDistance, JoinsVerticesAtTheSamePlace) {
  const SurfaceMesh box = box_surface({0, 0, 0}, {1, 1, 1});
  SurfaceMesh soup;
  soup.V.resize(3, 36);
  soup.F.resize(3, 12);
  for (int f = 0; f < 12; ++f) {
    for (int k = 0; k < 3; ++k) {
      soup.V.col(3 * f + k) = box.V.col(box.F(k, f));
      soup.F(k, f) = 3 * f + k;
    }
  }
  EXPECT_DOUBLE_EQ(SurfaceDistance(soup)({2, 2, 2}), std::sqrt(3.0));
}

// Wrong if the sum of the normals at the common edge, which is zero, or at the common vertex
// decided the sign.
TEST(SurfaceDistance, HasTheRightSignWhereBodiesTouch) {
  const SurfaceMesh cube = box_surface({0, 0, 0}, {1, 1, 1});
  Random random(11);
  for (const Vector3d& shift : {Vector3d(1, 1, 0), Vector3d(1, 1, 1)}) {
    const SurfaceDistance distance(joined(cube, box_surface(shift, shift + Vector3d(1, 1, 1))));
    for (int i = 0; i < 3000; ++i) {
      const Vector3d p = Vector3d(1, 1, 0.5 + 0.5 * shift[2]) + random_point(random, 0.4);
      const auto in = [&](const Vector3d& low) {
        return ((p - low).array() > 0).all() && ((p - low).array() < 1).all();
      };
      ASSERT_EQ(distance(p) < 0, in(Vector3d::Zero()) || in(shift)) << p.transpose();
    }
  }
}

// A sliver without area along the diagonal of a face; its normal does not exist.
TEST(SurfaceDistance, SurvivesTrianglesWithoutArea) {
  SurfaceMesh box = box_surface({0, 0, 0}, {1, 1, 1});
  box.V.conservativeResize(3, 10);
  box.V.col(8) = Vector3d(0.5, 0.5, 0);
  box.V.col(9) = box.V.col(8);
  box.F.conservativeResize(3, 15);
  // Faces 0 (0 2 3) and 1 (0 3 1) share the edge 0 3. Vertex 8 lies on it: face 0 becomes two, and
  // the sliver 0 8 3 fills the gap to face 1. Face 14 has two equal corners.
  box.F.col(0) = Vector3i(0, 2, 8);
  box.F.col(12) = Vector3i(2, 3, 9);
  box.F.col(13) = Vector3i(0, 8, 3);
  box.F.col(14) = Vector3i(4, 4, 7);
  const SurfaceDistance distance(box);
  Random random(2);
  for (int i = 0; i < 3000; ++i) {
    const Vector3d p = Vector3d::Constant(0.5) + random_point(random, 1);
    ASSERT_NEAR(distance(p), box_distance(p - Vector3d::Constant(0.5), Vector3d::Constant(0.5)),
                1e-14);
  }
  EXPECT_EQ(distance({0.25, 0.25, 0}), 0);
}

TEST(SurfaceDistance, GivesTheSameManyAtOnceAsOneByOneForAnyNumberOfThreads) {
  const SurfaceDistance distance(sphere_surface(1, 4));
  Random random(4);
  Matrix3Xd P(3, 5000);
  for (Index i = 0; i < P.cols(); ++i) {
    // A walk, with jumps.
    P.col(i) = i % 100 == 0 ? random_point(random, 3)
                            : Vector3d(P.col(i - 1) + random_point(random, 0.02));
  }
  const VectorXd many = distance.evaluate(P);
  set_threads(1);
  EXPECT_EQ(distance.evaluate(P), many);
  set_threads(0);
  for (Index i = 0; i < P.cols(); ++i) ASSERT_EQ(many[i], distance(P.col(i)));
}

TEST(SurfaceDistance, AnswersPointsThatAreNotFiniteOrFarAway) {
  const SurfaceDistance distance(sphere_surface(1, 2));
  EXPECT_TRUE(std::isnan(distance({std::nan(""), 0, 0})));
  EXPECT_TRUE(std::isnan(distance({0, std::numeric_limits<double>::infinity(), 0})));
  EXPECT_NEAR(distance({1e9, 0, 0}), 1e9, 10);
  EXPECT_GT(distance({0, 1e200, 0}), 1e100);
}

TEST(ImplicitOf, IsNegativeInsideWithTheBoxOfTheSurface) {
  const ImplicitBody body = implicit_of(box_surface({1, 2, 3}, {2, 4, 6}));
  EXPECT_EQ(body.f({1.5, 3, 4}), -0.5);
  EXPECT_TRUE(body.box.isApprox(Eigen::AlignedBox3d(Vector3d(1, 2, 3), Vector3d(2, 4, 6))));
}

}  // namespace
}  // namespace pliant
