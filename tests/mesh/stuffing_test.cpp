// SPDX-License-Identifier: MIT
#include "pliant/mesh/stuffing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {
namespace {

using std::numbers::pi;

struct Shape {
  std::string name;
  ImplicitBody body;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.name;
}

Eigen::AlignedBox3d cube(double half) {
  return {Vector3d::Constant(-half), Vector3d::Constant(half)};
}

double box_distance(const Vector3d& x, const Vector3d& half) {
  const Vector3d q = x.cwiseAbs() - half;
  return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
}

ImplicitBody sphere(double r, const Vector3d& centre = Vector3d::Zero()) {
  return {.f = [=](const Vector3d& x) { return (x - centre).norm() - r; },
          .box = {(centre.array() - r).matrix(), (centre.array() + r).matrix()},
          .is_distance = true};
}

ImplicitBody torus(double R, double r) {
  return {.f = [=](const Vector3d& x) { return std::hypot(std::hypot(x[0], x[1]) - R, x[2]) - r; },
          .box = {Vector3d(-R - r, -R - r, -r), Vector3d(R + r, R + r, r)},
          .is_distance = true};
}

// Sum of waves of random direction, length and phase.
double noise(const Vector3d& x, std::uint64_t seed) {
  Random random(seed);
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    Vector3d k;
    for (double& c : k) c = random.uniform(-6, 6);
    sum += std::sin(k.dot(x) + random.uniform(0, 2 * pi));
  }
  return sum / 6;
}

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  all.push_back({"sphere", sphere(1, {0.01, -0.02, 0.03})});
  all.push_back({"ellipsoid",
                 {.f =
                      [](const Vector3d& x) {
                        return x.cwiseQuotient(Vector3d(1, 0.6, 0.35)).squaredNorm() - 1;
                      },
                  .box = {Vector3d(-1, -0.6, -0.35), Vector3d(1, 0.6, 0.35)}}});
  all.push_back({"box on the lattice",
                 {.f =
                      [](const Vector3d& x) {
                        return box_distance(x, {1, 0.5, 0.75});
                      },
                  .box = {Vector3d(-1, -0.5, -0.75), Vector3d(1, 0.5, 0.75)},
                  .is_distance = true}});
  const Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  all.push_back({"turned box",
                 {.f =
                      [=](const Vector3d& x) {
                        return box_distance(turn * x, {0.9, 0.5, 0.6});
                      },
                  .box = cube(1.3),
                  .is_distance = true}});
  all.push_back({"torus", torus(1, 0.35)});
  all.push_back({"thin slab",
                 {.f =
                      [](const Vector3d& x) {
                        return box_distance(x, {1, 0.8, 0.07});
                      },
                  .box = {Vector3d(-1, -0.8, -0.07), Vector3d(1, 0.8, 0.07)},
                  .is_distance = true}});
  all.push_back({"cylinder",
                 {.f =
                      [=](const Vector3d& y) {
                        const Vector3d x = turn * y;
                        return std::max(std::hypot(x[0], x[1]) - 0.5, std::abs(x[2]) - 1);
                      },
                  .box = cube(1.2)}});
  all.push_back({"three spheres",
                 {.f =
                      [](const Vector3d& x) {
                        return std::min({(x - Vector3d(-0.5, 0, 0)).norm() - 0.45,
                                         (x - Vector3d(0.3, 0.1, 0)).norm() - 0.55,
                                         (x - Vector3d(0.2, -0.3, 0.5)).norm() - 0.4});
                      },
                  .box = cube(1)}});
  all.push_back({"gyroid in a ball",
                 {.f =
                      [](const Vector3d& x) {
                        const Vector3d y = 5 * x;
                        const double gyroid = std::sin(y[0]) * std::cos(y[1]) +
                                              std::sin(y[1]) * std::cos(y[2]) +
                                              std::sin(y[2]) * std::cos(y[0]);
                        return std::max(gyroid - 0.2, x.norm() - 1);
                      },
                  .box = cube(1)}});
  all.push_back({"rough sphere",
                 {.f = [](const Vector3d& x) { return x.norm() - 0.8 - 0.2 * noise(x, 3); },
                  .box = cube(1)}});
  all.push_back({"cone",
                 {.f =
                      [=](const Vector3d& y) {
                        const Vector3d x = turn * y;
                        return std::max(std::hypot(x[0], x[1]) - 0.5 * (1 - x[2]), -x[2] - 0.6);
                      },
                  .box = cube(1.3)}});
  return all;
}

// Least and greatest dihedral angle, in degrees.
std::pair<double, double> dihedral_angles(const VolumeMesh& mesh) {
  double least = 180, most = 0;
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < i; ++j) {
        const int k = i != 0 && j != 0 ? 0 : i != 1 && j != 1 ? 1 : 2;
        const int l = 6 - i - j - k;
        const auto x = [&](int a) { return Vector3d(mesh.V.col(mesh.E(a, e))); };
        const Vector3d d = x(j) - x(i), a = d.cross(x(k) - x(i)), b = d.cross(x(l) - x(i));
        const double angle = std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / pi;
        least = std::min(least, angle);
        most = std::max(most, angle);
      }
    }
  }
  return {least, most};
}

struct Topology {
  int open_edges = 0;        // not in two faces
  int pinched_vertices = 0;  // whose faces are not one fan
};

Topology topology(const SurfaceMesh& surface) {
  Topology result;
  std::map<std::pair<int, int>, int> directed;
  std::vector<std::map<int, int>> next(static_cast<std::size_t>(surface.vertex_count()));
  std::vector<int> faces(next.size(), 0);
  for (int f = 0; f < surface.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const int a = surface.F(k, f), b = surface.F((k + 1) % 3, f), c = surface.F((k + 2) % 3, f);
      ++directed[{a, b}];
      next[static_cast<std::size_t>(a)][b] = c;
      ++faces[static_cast<std::size_t>(a)];
    }
  }
  for (const auto& [edge, count] : directed) {
    const auto reverse = directed.find({edge.second, edge.first});
    if (count != 1 || reverse == directed.end() || reverse->second != 1) ++result.open_edges;
  }
  for (std::size_t v = 0; v < next.size(); ++v) {
    int length = 0;
    for (int b = next[v].begin()->first; next[v].contains(b) && length <= faces[v];) {
      b = next[v][b];
      ++length;
      if (b == next[v].begin()->first) break;
    }
    if (length != faces[v]) ++result.pinched_vertices;
  }
  return result;
}

void expect_sound(const VolumeMesh& mesh, const ImplicitBody& body) {
  ASSERT_GT(mesh.element_count(), 0);
  for (int e = 0; e < mesh.element_count(); ++e) ASSERT_GT(element_volume(mesh, e), 0);
  std::vector<char> used(static_cast<std::size_t>(mesh.vertex_count()), 0);
  for (const int v : mesh.E.reshaped()) used[static_cast<std::size_t>(v)] = 1;
  EXPECT_EQ(std::ranges::count(used, 1), mesh.vertex_count());

  const auto [least, most] = dihedral_angles(mesh);
  EXPECT_GE(least, stuffing_min_angle);
  EXPECT_LE(most, stuffing_max_angle);

  // A face that two tetrahedra do not share whole would lie on the outer surface, but not on f = 0.
  std::vector<int> outer;
  const SurfaceMesh surface = boundary_surface(mesh, &outer);
  const Topology t = topology(surface);
  EXPECT_EQ(t.open_edges, 0);
  EXPECT_EQ(t.pinched_vertices, 0);
  double farthest = 0;
  for (const int v : outer) farthest = std::max(farthest, std::abs(body.f(mesh.V.col(v))));
  EXPECT_LT(farthest, 1e-11);
  double inside = -1;
  for (const int v : outer) used[static_cast<std::size_t>(v)] = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (used[static_cast<std::size_t>(v)]) inside = std::max(inside, body.f(mesh.V.col(v)));
  }
  EXPECT_LT(inside, 0);
}

class StuffingOf : public testing::TestWithParam<Shape> {};

TEST_P(StuffingOf, UniformIsSoundAndWithinThePublishedAngles) {
  expect_sound(stuff(GetParam().body, {.resolution = 18}), GetParam().body);
}

TEST_P(StuffingOf, GradedIsSoundAndWithinThePublishedAngles) {
  expect_sound(stuff(GetParam().body, {.resolution = 25, .graded = true}), GetParam().body);
}

INSTANTIATE_TEST_SUITE_P(Shapes, StuffingOf, testing::ValuesIn(shapes()), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

// The far field of a distance is not sampled; that must not change the mesh.
TEST(Stuffing, DoesNotDependOnTheSkippingByDistance) {
  int compared = 0;
  for (const Shape& shape : shapes()) {
    if (!shape.body.is_distance) continue;
    ImplicitBody slow = shape.body;
    slow.is_distance = false;
    const VolumeMesh a = stuff(shape.body, {.resolution = 20}), b = stuff(slow, {.resolution = 20});
    EXPECT_TRUE(a.E == b.E && a.V == b.V) << shape.name;
    ++compared;
  }
  EXPECT_GT(compared, 3);
}

TEST(Stuffing, VolumeConvergesWithOrderTwo) {
  for (const bool graded : {false, true}) {
    for (const auto& [body, exact] :
         {std::pair(sphere(1), 4 * pi / 3), std::pair(torus(1, 0.4), 2 * pi * pi * 0.4 * 0.4)}) {
      const auto error = [&](int n) {
        return std::abs(volume(stuff(body, {n, graded})) / exact - 1);
      };
      const double coarse = error(12), fine = error(36);
      EXPECT_LT(fine, 0.01);
      const double order = std::log(coarse / fine) / std::log(3.0);
      EXPECT_GT(order, 1.7);
      EXPECT_LT(order, 2.4);
    }
  }
}

TEST(Stuffing, BoxOnTheLatticeIsExact) {
  for (const bool graded : {false, true}) {
    const VolumeMesh mesh = stuff({.f =
                                       [](const Vector3d& x) {
                                         return box_distance(x, {1, 0.5, 0.75});
                                       },
                                   .box = {Vector3d(-1, -0.5, -0.75), Vector3d(1, 0.5, 0.75)},
                                   .is_distance = true},
                                  {16, graded});
    EXPECT_NEAR(volume(mesh), 3, 1e-12);
  }
}

TEST(Stuffing, GradedCountGrowsWithTheSurface) {
  const auto count = [](int n) { return stuff(torus(1, 0.45), {n, true}).element_count(); };
  const double ratio = double(count(80)) / count(40);
  EXPECT_GT(ratio, 3.5);
  EXPECT_LT(ratio, 5.2);  // 8 for a uniform mesh
}

// Whatever the function: here one without any continuity.
TEST(Stuffing, AnglesHoldForAnyFunction) {
  for (const bool graded : {false, true}) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const ImplicitBody body = {.f =
                                     [=](const Vector3d& x) {
                                       if (x.norm() > 1) return 1.0;
                                       std::uint64_t bits = seed;
                                       for (const double c : x)
                                         bits = 31 * bits + std::bit_cast<std::uint64_t>(c);
                                       return Random(bits).uniform() - 0.55;
                                     },
                                 .box = cube(1)};
      const VolumeMesh mesh = stuff(body, {14, graded});
      for (int e = 0; e < mesh.element_count(); ++e) ASSERT_GT(element_volume(mesh, e), 0);
      const auto [least, most] = dihedral_angles(mesh);
      EXPECT_GE(least, stuffing_min_angle);
      EXPECT_LE(most, stuffing_max_angle);
    }
  }
}

// Two cones tip to tip in a lattice point: two bodies, not one with a hinge.
TEST(Stuffing, PartsThatMeetInAVertexAreSeparate) {
  const ImplicitBody body = {.f =
                                 [](const Vector3d& x) {
                                   return std::max(std::hypot(x[1], x[2]) - 0.5 * std::abs(x[0]),
                                                   std::abs(x[0]) - 1);
                                 },
                             .box = {Vector3d(-1, -0.5, -0.5), Vector3d(1, 0.5, 0.5)}};
  const VolumeMesh mesh = stuff(body, {.resolution = 16});
  expect_sound(mesh, body);
  int at_origin = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) at_origin += mesh.V.col(v).norm() == 0 ? 1 : 0;
  EXPECT_EQ(at_origin, 2);
}

TEST(Stuffing, SameBitsForAnyNumberOfThreads) {
  const ImplicitBody body = shapes()[9].body;
  for (const bool graded : {false, true}) {
    set_threads(1);
    const VolumeMesh one = stuff(body, {24, graded});
    set_threads(2);
    const VolumeMesh two = stuff(body, {24, graded});
    set_threads(0);
    EXPECT_TRUE(one.V == two.V);
    EXPECT_TRUE(one.E == two.E);
  }
}

TEST(Stuffing, FillsAClosedSurface) {
  const SurfaceMesh surface = boundary_surface(stuff(torus(1, 0.4), {.resolution = 24}));
  const ImplicitBody body = implicit_of(surface);
  double enclosed = 0;
  for (int f = 0; f < surface.face_count(); ++f) {
    const auto x = [&](int k) { return Vector3d(surface.V.col(surface.F(k, f))); };
    enclosed += x(0).dot(x(1).cross(x(2))) / 6;
  }
  for (const bool graded : {false, true}) {
    const VolumeMesh mesh = stuff(surface, {30, graded});
    expect_sound(mesh, body);
    EXPECT_NEAR(volume(mesh) / enclosed, 1, 0.005);
  }
}

TEST(Stuffing, RefusesAnOpenSurface) {
  SurfaceMesh surface = boundary_surface(stuff(sphere(1), {.resolution = 6}));
  surface.F.conservativeResize(3, surface.face_count() - 1);
  EXPECT_THROW(stuff(surface, {}), Error);
}

// Away from its triangles the sign of an open surface changes where the winding number is 1/2.
TEST(Stuffing, ClosesAHoleByTheWindingNumber) {
  SurfaceMesh surface = boundary_surface(stuff(sphere(1), {.resolution = 20}));
  Matrix3Xi F = surface.F;
  int kept = 0;
  for (int f = 0; f < F.cols(); ++f) {
    if (surface.V(2, F(0, f)) < 0.8) surface.F.col(kept++) = F.col(f);
  }
  ASSERT_LT(kept, F.cols());
  surface.F.conservativeResize(3, kept);
  const ImplicitBody body = implicit_of(surface, DistanceSign::winding_number);
  for (const bool graded : {false, true}) {
    const VolumeMesh mesh = stuff(body, {20, graded});
    const auto [least, most] = dihedral_angles(mesh);
    EXPECT_GE(least, stuffing_min_angle);
    EXPECT_LE(most, stuffing_max_angle);
    EXPECT_EQ(topology(boundary_surface(mesh)).open_edges, 0);
    EXPECT_GT(volume(mesh), 3.9);  // 4.19 less the cap above z = 0.8, 0.12, and the chords
    EXPECT_LT(volume(mesh), 4.2);
  }
}

TEST(Stuffing, RefusesBadOptionsAndBodies) {
  const ImplicitBody good = sphere(1);
  for (const int n : {-5, 0, 1, 2000, std::numeric_limits<int>::max()}) {
    EXPECT_THROW(stuff(good, {.resolution = n}), Error) << n;
  }
  ImplicitBody body = good;
  body.box.setEmpty();
  EXPECT_THROW(stuff(body), Error);
  body.box = {Vector3d::Zero(), Vector3d::Zero()};
  EXPECT_THROW(stuff(body), Error);
  body.box = {Vector3d::Zero(), Vector3d::Constant(std::numeric_limits<double>::infinity())};
  EXPECT_THROW(stuff(body), Error);
  body.box = cube(0.8);  // the body reaches beyond
  EXPECT_THROW(stuff(body), Error);
  body.box = {Vector3d(3, 3, 3), Vector3d(4, 4, 4)};  // nothing inside
  EXPECT_THROW(stuff(body), Error);
  body = good;
  body.is_distance = false;
  body.f = [](const Vector3d& x) {
    return x[0] > 0.3 ? std::numeric_limits<double>::quiet_NaN() : x.norm() - 1;
  };
  EXPECT_THROW(stuff(body), Error);
  // All of a plate thinner than the lattice is warped away.
  body.f = [](const Vector3d& x) { return box_distance(x, {1, 1, 0.05}); };
  body.box = {Vector3d(-1, -1, -0.05), Vector3d(1, 1, 0.05)};
  EXPECT_THROW(stuff(body, {.resolution = 4}), Error);
}

TEST(Stuffing, CanBeCancelled) {
  Progress progress;
  progress.cancel();
  EXPECT_THROW(stuff(sphere(1), {}, progress), Cancelled);
}

}  // namespace
}  // namespace pliant
