// SPDX-License-Identifier: MIT
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mesh/io/surface_samples.hpp"
#include "mesh/io/valid_mesh.hpp"
#include "pliant/base/error.hpp"
#include "pliant/mesh/io/clean.hpp"
#include "pliant/mesh/io/polygons.hpp"

namespace pliant::io {
namespace {

using testing::ElementsAre;

TEST(CleanSurface, LeavesAGoodMeshAlone) {
  SurfaceMesh mesh = test::sample_torus();
  const SurfaceMesh before = mesh;
  ReadReport report;
  clean(mesh, "f", report);
  EXPECT_EQ(mesh.V, before.V);
  EXPECT_EQ(mesh.F, before.F);
  EXPECT_TRUE(report.repairs.empty());
  EXPECT_EQ(report.vertex_map.size(), 0);
}

TEST(CleanSurface, MergesDropsAndSaysSo) {
  // 0 is unused, 3 lies on 1 (but for the sign of a zero), the second triangle has no area, the
  // third has a corner twice once 3 is 1, the fourth is good.
  SurfaceMesh mesh =
      to_mesh({{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {-0.0, 0, 0}, {0, 1, 0}, {2, 0, 0}},
              {{1, 2, 4}, {1, 2, 5}, {1, 3, 4}, {3, 4, 2}}, {0, 1, 1, 2}, {"a", "b", "c"});
  ReadReport report;
  clean(mesh, "f", report);
  EXPECT_EQ(test::problem_of(mesh), "");
  EXPECT_EQ(mesh.vertex_count(), 3);
  Matrix3Xi faces(3, 2);
  faces << 0, 0, 1, 2, 2, 1;
  EXPECT_EQ(mesh.F, faces);
  EXPECT_EQ(mesh.group, Eigen::Vector2i(0, 2));
  EXPECT_THAT(report.repairs,
              ElementsAre("merged 1 vertices at the same place", "dropped 2 triangles without area",
                          "dropped 2 vertices that no triangle uses"));
  EXPECT_THAT(std::vector<int>(report.vertex_map.begin(), report.vertex_map.end()),
              ElementsAre(-1, 0, 1, 0, 2, -1));
}

TEST(CleanSurface, KeepsTinyAndHugeTriangles) {
  for (const double scale : {1e-200, 1e99}) {
    SurfaceMesh mesh =
        to_mesh({scale * Vector3d::UnitX(), scale * Vector3d::UnitY(), scale * Vector3d::UnitZ()},
                {{0, 1, 2}}, {}, {});
    ReadReport report;
    clean(mesh, "f", report);
    EXPECT_EQ(mesh.face_count(), 1);
  }
}

TEST(CleanSurface, RefusesWhatCannotBeMended) {
  const auto refusal = [](SurfaceMesh mesh) -> std::string {
    ReadReport report;
    try {
      clean(mesh, "f.obj", report);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  const std::vector<Vector3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  std::vector<Vector3d> bad = points;
  bad[1][2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(to_mesh(bad, {{0, 1, 2}}, {}, {})),
            "f.obj: vertex 2: a coordinate is out of range: found 'nan', expected at most 1e+100 "
            "in size");
  bad[1][2] = -1.1e100;
  EXPECT_THAT(refusal(to_mesh(bad, {{0, 1, 2}}, {}, {})), testing::HasSubstr("out of range"));
  EXPECT_EQ(refusal(to_mesh(points, {{0, 1, 2}, {0, 1, 3}}, {}, {})),
            "f.obj: triangle 2: no such vertex: found '3', expected 0 to 2");
  EXPECT_THAT(refusal(to_mesh(points, {{0, -1, 2}}, {}, {})), testing::HasSubstr("no such vertex"));
  EXPECT_EQ(refusal(to_mesh(points, {}, {}, {})),
            "f.obj: the file holds no triangle that has an area");
}

}  // namespace
}  // namespace pliant::io
