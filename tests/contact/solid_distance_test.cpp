// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/solid_distance.hpp"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/surface_parts.hpp"
#include "pliant/mesh/surface_report.hpp"
#include "solids.hpp"

namespace pliant {
namespace {

using test::Solid;

SurfaceMesh surface_of(const Solid& solid, double cell = 0.05) {
  return isosurface({solid.D, solid.box, true}, cell);
}

// Without some of its triangles.
SurfaceMesh without(const SurfaceMesh& mesh, double share, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<int> kept;
  for (int t = 0; t < mesh.face_count(); ++t) {
    if (random.uniform() >= share) kept.push_back(t);
  }
  return extract(mesh, kept);
}

double at(const SolidDistance& solid, const Vector3d& x) {
  return solid.distances(x)[0];
}

void expect_error(const std::function<void()>& call, const std::string& part) {
  try {
    call();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(part));
  }
}

TEST(SolidDistance, OfAClosedSurfaceIsExactAndSure) {
  const SolidDistance solid = solid_distance(surface_of(test::torus()), {.cell = 0.05});
  EXPECT_EQ(solid.sign, SolidSign::pseudonormal);
  EXPECT_LT(at(solid, {0.8, 0, 0}), -0.19);
  EXPECT_GT(at(solid, {0, 0, 0}), 0.5);
  EXPECT_EQ(solid.doubt({0.8, 0, 0}), 0);
}

// Two balls that run into each other.
SurfaceMesh two_balls() {
  const SurfaceMesh a = surface_of(test::sphere(0.5));
  SurfaceMesh b = a;
  b.V.row(0).array() += 0.4;
  SurfaceMesh both;
  both.V.resize(3, a.V.cols() + b.V.cols());
  both.V << a.V, b.V;
  both.F.resize(3, a.F.cols() + b.F.cols());
  both.F << a.F, (b.F.array() + static_cast<int>(a.V.cols())).matrix();
  return both;
}

// Walls inside of a body are no border of it.
TEST(SolidDistance, OfPartsThatRunIntoEachOtherIsThatOfTheirUnion) {
  const SurfaceMesh both = two_balls();
  const SolidDistance solid = solid_distance(both, {.cell = 0.05});
  EXPECT_EQ(solid.sign, SolidSign::winding_number);
  EXPECT_TRUE(inspect(solid.outside).watertight);
  Random random(1);
  double worst = 0;
  for (int k = 0; k < 500; ++k) {
    const Vector3d x(random.uniform(-0.8, 1.2), random.uniform(-0.7, 0.7),
                     random.uniform(-0.7, 0.7));
    const double union_of = std::min(x.norm(), (x - Vector3d(0.4, 0, 0)).norm()) - 0.5;
    if (union_of < 0) {
      EXPECT_LT(at(solid, x), 0.01) << x.transpose();
    } else {
      worst = std::max(worst, std::abs(at(solid, x) - union_of));
    }
  }
  EXPECT_LT(worst, 0.03);
  // In the middle of what both share: not the distance to a wall, but that to the outside.
  EXPECT_LT(at(solid, {0.2, 0, 0}), -0.4);
}

TEST(SolidDistance, WithATwentiethOfItsTrianglesMissingIsUsableAndSaysWhereItDoubts) {
  const Solid ball = test::sphere();
  const SurfaceMesh holed = without(surface_of(ball), 0.05);
  ASSERT_GT(inspect(holed).boundary_edges, 50);
  const SolidDistance solid = solid_distance(holed, {.cell = 0.033});
  EXPECT_EQ(solid.sign, SolidSign::winding_number);
  Random random(2);
  int wrong = 0, all = 0;
  for (int k = 0; k < 3000; ++k) {
    const Vector3d x = random.uniform(0, 1.1) * test::direction(random);
    if (std::abs(ball.D(x)) < 0.05) continue;
    wrong += (at(solid, x) < 0) != (ball.D(x) < 0);
    ++all;
  }
  EXPECT_EQ(wrong, 0) << "of " << all;
  const DistanceGrid grid = distance_grid(solid.distances, solid.box, {.resolution = 64});
  const SignDoubt doubt = sign_doubt(solid, grid);
  EXPECT_GT(doubt.share, 0.001);
  EXPECT_LT(doubt.share, 0.5);
  // Where it doubts, triangles are missing nearby.
  const SolidDistance whole = solid_distance(surface_of(ball), {.cell = 0.033});
  EXPECT_EQ(sign_doubt(whole, distance_grid(whole.distances, whole.box, {.resolution = 64})).share,
            0);
}

// One hole, so that the doubt must be there and nowhere else.
TEST(SolidDistance, DoubtsAtTheHole) {
  const SurfaceMesh ball = surface_of(test::sphere());
  std::vector<int> kept;
  for (int t = 0; t < ball.face_count(); ++t) {
    const Vector3d middle =
        (ball.V.col(ball.F(0, t)) + ball.V.col(ball.F(1, t)) + ball.V.col(ball.F(2, t))) / 3;
    if (middle.normalized()[2] < 0.97) kept.push_back(t);
  }
  const SolidDistance solid = solid_distance(extract(ball, kept), {.cell = 0.033});
  const SignDoubt doubt =
      sign_doubt(solid, distance_grid(solid.distances, solid.box, {.resolution = 64}));
  ASSERT_GT(doubt.places.cols(), 0);
  EXPECT_GT(doubt.box.min()[2], 0.5);
  EXPECT_TRUE(doubt.box.contains(Vector3d(0, 0, 0.68)));
}

// Triangles turned at random have no winding number to speak of.
TEST(SolidDistance, OfASoupIsThatOfAnOffset) {
  const Solid ball = test::sphere();
  SurfaceMesh soup = without(surface_of(ball), 0.05);
  Random random(3);
  for (Index t = 0; t < soup.F.cols(); ++t) {
    if (random.uniform() < 0.5) std::swap(soup.F(0, t), soup.F(1, t));
  }
  expect_error([&] { solid_distance(soup, {.cell = 0.04}); }, "or an offset");
  const SolidDistance solid = solid_distance(soup, {.cell = 0.04, .sign = SolidSign::offset});
  EXPECT_TRUE(inspect(solid.outside).watertight);
  EXPECT_EQ(inspect(solid.outside).components, 1) << "the inner wall of the offset is gone";
  EXPECT_NEAR(at(solid, {0, 0, 0}), -0.7 - 1.4 * 0.04, 0.05);
  EXPECT_NEAR(at(solid, {1, 0, 0}), 0.3 - 1.4 * 0.04, 0.03);
  const SignDoubt doubt =
      sign_doubt(solid, distance_grid(solid.distances, solid.box, {.resolution = 64}));
  EXPECT_GT(doubt.share, 0.01);
}

// A wall inside of the body would be a border of it.
TEST(SolidDistance, ByNormalsOfASurfaceThatCrossesItselfIsRefused) {
  const SurfaceMesh both = two_balls();
  const std::int64_t pairs = inspect(both).self_intersections.pairs;
  ASSERT_GT(pairs, 0);
  const auto by_normals = [&] {
    solid_distance(both, {.cell = 0.05, .sign = SolidSign::pseudonormal});
  };
  expect_error(by_normals, std::to_string(pairs) + " pairs of triangles");
  expect_error(by_normals, "solid = \"winding\" or \"automatic\"");
}

TEST(SolidDistance, RefusesWhatIsNotSound) {
  SurfaceMesh two;
  two.V.resize(3, 4);
  two.V << 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0.1;
  two.F.resize(3, 2);
  two.F << 0, 1, 1, 3, 2, 2;
  expect_error([&] { solid_distance(two, {.cell = 0.05}); }, "encloses nothing");
  const SurfaceMesh ball = surface_of(test::sphere());
  std::vector<int> half;
  for (int t = 0; t < ball.face_count(); ++t) {
    if (ball.V(2, ball.F(0, t)) < 0) half.push_back(t);
  }
  EXPECT_THROW(solid_distance(extract(ball, half), {.cell = 0.05, .sign = SolidSign::pseudonormal}),
               Error);
  EXPECT_THROW(solid_distance(ball, {}), Error);
  EXPECT_THROW(solid_distance(ball, {.cell = 0.05, .offset = std::nan("")}), Error);
}

}  // namespace
}  // namespace pliant
