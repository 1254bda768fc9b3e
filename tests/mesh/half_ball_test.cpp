// SPDX-License-Identifier: MIT
#include "pliant/mesh/half_ball.hpp"

#include <numbers>

#include <gmock/gmock.h>

#include "pliant/mesh/surface_report.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

TEST(HalfBall, IsClosedAndFineInTheMiddle) {
  const HalfBallOptions options{
      .radius = 2, .spacing = 0.05, .fine_rings = 8, .growth = 1.2, .down = 16};
  const SurfaceMesh mesh = half_ball(options);
  const SurfaceReport report = inspect(mesh);
  EXPECT_TRUE(report.watertight);
  EXPECT_EQ(report.inconsistent_edges, 0);
  EXPECT_EQ(report.self_intersections.pairs, 0);
  EXPECT_NEAR(report.mass.volume, 2.0 / 3 * std::numbers::pi * 8, 0.2);
  for (int v = first_of_dome(mesh, options); v < mesh.vertex_count(); ++v) {
    EXPECT_NEAR(mesh.V.col(v).norm(), 2, 1e-12);
  }
  EXPECT_NEAR((mesh.V.col(1) - mesh.V.col(2)).norm(), 0.05, 1e-12);
}

TEST(HalfBall, RefusesNumbersThatGiveNone) {
  expect_error([] { half_ball({.radius = 0.1, .spacing = 0.05}); }, "no surface");
  expect_error([] { half_ball({.growth = 1}); }, "growth > 1");
}

}  // namespace
}  // namespace pliant::test
