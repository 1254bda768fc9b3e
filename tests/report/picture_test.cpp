// SPDX-License-Identifier: MIT
#include "pliant/report/picture.hpp"

#include <Eigen/Geometry>
#include <gmock/gmock.h>

#include "pliant/mesh/models.hpp"

namespace pliant {
namespace {

using testing::HasSubstr;

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// A cube of 12 triangles.
struct Cube {
  Matrix3Xd V{{0, 1, 1, 0, 0, 1, 1, 0}, {0, 0, 1, 1, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}};
  Matrix3Xi F{{0, 0, 4, 4, 0, 0, 3, 3, 0, 0, 1, 1},
              {2, 3, 5, 6, 1, 5, 6, 7, 7, 4, 2, 6},
              {1, 2, 6, 7, 5, 4, 2, 6, 3, 7, 6, 5}};
};

TEST(Picture, DrawsTheFacesTowardsTheEyeAlone) {
  const Cube cube;
  const PictureSeries straight(cube.V, cube.F, {.from = {0, 0, 1}}, 100);
  const std::vector<int> level(8, 0);
  EXPECT_EQ(count(straight.svg(cube.V, level, "rest", "cube"), "z"), 2)
      << "one side, two triangles";
  const PictureSeries oblique(cube.V, cube.F, {.from = {1, 1, 1}}, 100);
  EXPECT_EQ(count(oblique.svg(cube.V, level, "rest", "cube"), "z"), 6) << "three sides";
}

TEST(Picture, DrawsTheNearestLast) {
  // Two parallel triangles, the nearer one of another colour and listed first.
  const Matrix3Xd V{{0, 1, 0, 0, 1, 0}, {0, 0, 1, 0, 0, 1}, {1, 1, 1, 0, 0, 0}};
  const Matrix3Xi F{{0, 3}, {1, 4}, {2, 5}};
  const PictureSeries series(V, F, {.from = {0, 0, 1}}, 100);
  const std::string svg = series.svg(V, {5, 5, 5, 0, 0, 0}, "rest", "two");
  EXPECT_LT(svg.find("class=\"b0"), svg.find("class=\"b5"));
}

TEST(Picture, AllShapesOfASeriesHaveOneScale) {
  const Cube cube;
  PictureSeries series(cube.V, cube.F, {.from = {0, 0, 1}}, 100);
  const Matrix3Xd wide = Eigen::Vector3d(3, 1, 1).asDiagonal() * cube.V;
  series.include(wide);
  const std::vector<int> level(8, 0);
  EXPECT_THAT(series.svg(cube.V, level, "rest", ""), HasSubstr("viewBox=\"0 0 480 174\""));
  EXPECT_THAT(series.svg(wide, level, "rest", ""), HasSubstr("viewBox=\"0 0 480 174\""));
  EXPECT_THAT(series.rest_symbol("rest"), HasSubstr("viewBox=\"0 0 480 174\""));
}

TEST(Picture, ALargeSurfaceBecomesAFewTrianglesOfItsVertices) {
  const Model model = make_model("sphere");
  const CoarseSurface coarse = coarsened(model.surface.V, model.surface.F, 300);
  EXPECT_LE(coarse.triangles.cols(), 300);
  EXPECT_GT(coarse.triangles.cols(), 100);
  EXPECT_LT(coarse.triangles.maxCoeff(), static_cast<int>(coarse.vertices.size()));
  // It is still the sphere: its volume is nearly the same, and it is as large.
  double volume = 0;
  const Matrix3Xd V = model.surface.V(Eigen::all, coarse.vertices);
  for (Index t = 0; t < coarse.triangles.cols(); ++t) {
    const Vector3i c = coarse.triangles.col(t);
    volume += V.col(c[0]).dot(V.col(c[1]).cross(V.col(c[2]))) / 6;
  }
  double whole = 0;
  for (Index t = 0; t < model.surface.F.cols(); ++t) {
    const Vector3i c = model.surface.F.col(t);
    whole +=
        model.surface.V.col(c[0]).dot(model.surface.V.col(c[1]).cross(model.surface.V.col(c[2]))) /
        6;
  }
  EXPECT_NEAR(volume, whole, 0.15 * whole);
}

}  // namespace
}  // namespace pliant
