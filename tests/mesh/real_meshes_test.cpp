// SPDX-License-Identifier: MIT
// Two scanned models (tools/fetch_models) from the surface to the quality report.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/quality.hpp"
#include "pliant/mesh/surface_repair.hpp"
#include "pliant/mesh/surface_report.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant {
namespace {

class RealMeshes : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::filesystem::path path = std::filesystem::path(PLIANT_MODELS_DIR) / GetParam();
    if (!std::filesystem::exists(path)) {
      GTEST_SKIP() << path << " is absent: run tools/fetch_models build/models";
    }
    surface_ = read_surface_mesh(path);
  }
  SurfaceMesh surface_;
};

TEST_P(RealMeshes, AreRepairedWithoutLosingTheirShape) {
  const SurfaceReport before = inspect(surface_);
  EXPECT_GT(before.triangles, 3000);
  RepairReport done;
  const SurfaceMesh mended = repair(surface_, {.min_component_size = 0.05}, done);
  const SurfaceReport after = inspect(mended);
  EXPECT_EQ(after.degenerate_triangles + after.duplicate_triangles + after.unused_vertices, 0);
  EXPECT_EQ(after.inconsistent_edges, 0);
  EXPECT_EQ(after.inverted_components, 0);
  EXPECT_EQ(after.components, 1);
  EXPECT_EQ(after.boundary_edges, 0);
  EXPECT_TRUE(after.vector_area_vanishes);
  EXPECT_NEAR(after.area, before.area, 0.05 * before.area);
  EXPECT_GT(after.mass.volume, 0.0);
  EXPECT_TRUE(after.self_intersections.complete);
}

TEST_P(RealMeshes, BecomeSolidVoxelsThatHoldEveryVertex) {
  RepairReport done;
  const SurfaceMesh mended = repair(surface_, {.min_component_size = 0.05}, done);
  const VoxelGrid grid =
      voxelise(mended, {.resolution = 64, .fill_interior = true, .keep_largest = true});
  EXPECT_EQ(component_sizes(grid).size(), 1u);

  const SurfaceReport surface = inspect(mended);
  const double body = surface.mass.volume, skin = surface.area;
  const VolumeMesh bricks = hexahedra(grid);
  const QualityReport q = quality(bricks);
  EXPECT_EQ(q.elements, grid.count());
  EXPECT_EQ(q.inverted, 0);
  EXPECT_EQ(q.components, 1);
  EXPECT_EQ(q.unused_vertices, 0);
  EXPECT_NEAR(q.scaled_jacobian.min, 1.0, 1e-9);
  EXPECT_NEAR(q.corner_angle.max, 90.0, 1e-6);
  EXPECT_NEAR(q.edge_length.max, grid.h, 1e-9 * grid.h);
  // The voxels cover the body, and no more than a layer of two voxels around it.
  EXPECT_GT(q.total_volume, body);
  EXPECT_LT(q.total_volume, body + 2 * grid.h * skin);

  for (const TetSplit split : {TetSplit::five, TetSplit::six}) {
    const QualityReport t = quality(tetrahedra(grid, split));
    EXPECT_EQ(t.elements, q.elements * (split == TetSplit::five ? 5 : 6));
    EXPECT_EQ(t.inverted, 0);
    EXPECT_NEAR(t.total_volume, q.total_volume, 1e-9 * q.total_volume);
    EXPECT_NEAR(t.boundary_area, q.boundary_area, 1e-9 * q.boundary_area);
    EXPECT_NEAR(t.dihedral.min, split == TetSplit::five ? 54.7356 : 45.0, 1e-3);
  }

  const Embedding W = embed(mended.V, bricks);
  EXPECT_TRUE(W.outside.empty());
  EXPECT_LT((W.interpolate(bricks.V) - mended.V).cwiseAbs().maxCoeff(), 1e-12 * grid.h * 64);
}

INSTANTIATE_TEST_SUITE_P(Scans, RealMeshes, testing::Values("bunny.obj", "dragon.ply"),
                         [](const auto& file) {
                           return std::string(file.param, std::string(file.param).find('.'));
                         });

}  // namespace
}  // namespace pliant
