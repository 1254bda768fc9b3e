// SPDX-License-Identifier: MIT
#include "pliant/mesh/quality.hpp"

#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant {
namespace {

VoxelGrid full_grid(const Vector3i& n) {
  VoxelGrid grid;
  grid.n = n;
  grid.filled.assign(static_cast<std::size_t>(n.prod()), Voxel::interior);
  return grid;
}

TEST(Quality, OfTheRegularTetrahedron) {
  VolumeMesh mesh;
  mesh.V.resize(3, 4);
  mesh.V << 1, -1, -1, 1, 1, -1, 1, -1, 1, 1, -1, -1;
  mesh.E = Eigen::Vector4i(0, 1, 2, 3);
  if (element_volume(mesh, 0) < 0) std::swap(mesh.E(0, 0), mesh.E(1, 0));
  const QualityReport q = quality(mesh);
  EXPECT_NEAR(q.dihedral.min, 70.528779365509308, 1e-10);
  EXPECT_NEAR(q.dihedral.max, 70.528779365509308, 1e-10);
  EXPECT_EQ(q.dihedral_bins[7], 6);
  EXPECT_NEAR(q.aspect_ratio.max, 1.0, 1e-12);
  EXPECT_NEAR(q.edge_length.mean, std::sqrt(8.0), 1e-12);
  EXPECT_NEAR(q.total_volume, 8.0 / 3.0, 1e-12);
  EXPECT_NEAR(q.boundary_area, 8.0 * std::sqrt(3.0), 1e-12);
  EXPECT_EQ(q.inverted, 0);
  EXPECT_EQ(q.components, 1);

  std::swap(mesh.E(0, 0), mesh.E(1, 0));
  const QualityReport turned = quality(mesh);
  EXPECT_EQ(turned.inverted, 1);
  EXPECT_EQ(turned.worst_element, 0);
  EXPECT_LT(turned.volume.min, 0.0);
}

TEST(Quality, OfSplitVoxels) {
  const QualityReport six = quality(tetrahedra(full_grid({3, 2, 2}), TetSplit::six));
  EXPECT_EQ(six.elements, 72);
  EXPECT_NEAR(six.dihedral.min, 45.0, 1e-10);
  EXPECT_NEAR(six.dihedral.max, 90.0, 1e-10);
  EXPECT_EQ(std::accumulate(six.dihedral_bins.begin(), six.dihedral_bins.end(), 0L), 72 * 6);
  const QualityReport five = quality(tetrahedra(full_grid({3, 2, 2}), TetSplit::five));
  EXPECT_EQ(five.elements, 60);
  EXPECT_NEAR(five.dihedral.min, 54.735610317245346, 1e-10);
  for (const QualityReport& q : {six, five}) {
    EXPECT_NEAR(q.total_volume, 12.0, 1e-12);
    EXPECT_NEAR(q.boundary_area, 32.0, 1e-12);
    EXPECT_EQ(q.edge_length.min, 1.0);
    EXPECT_EQ(q.inverted, 0);
  }
}

TEST(Quality, OfBricks) {
  VolumeMesh mesh = hexahedra(full_grid({3, 2, 2}));
  const QualityReport q = quality(mesh);
  EXPECT_EQ(q.elements, 12);
  EXPECT_EQ(q.scaled_jacobian.min, 1.0);
  EXPECT_EQ(q.jacobian_ratio.min, 1.0);
  EXPECT_EQ(q.jacobian_bins[19], 12);
  EXPECT_NEAR(q.corner_angle.min, 90.0, 1e-12);
  EXPECT_NEAR(q.corner_angle.max, 90.0, 1e-12);
  EXPECT_EQ(q.aspect_ratio.max, 1.0);
  EXPECT_NEAR(q.boundary_area, 32.0, 1e-12);

  // Sheared by 45 degrees: a corner's unit edges have the determinant sin 45.
  mesh.V.row(0) += mesh.V.row(1);
  const QualityReport sheared = quality(mesh);
  EXPECT_NEAR(sheared.scaled_jacobian.max, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(sheared.jacobian_ratio.min, 1.0, 1e-12);
  EXPECT_NEAR(sheared.corner_angle.min, 45.0, 1e-12);
  EXPECT_NEAR(sheared.corner_angle.max, 135.0, 1e-12);
  EXPECT_NEAR(sheared.aspect_ratio.max, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(sheared.total_volume, 12.0, 1e-12);

  // One corner of element 0 pushed through the opposite one: positive elsewhere, turned there.
  VolumeMesh broken = hexahedra(full_grid({1, 1, 1}));
  broken.V.col(broken.E(6, 0)).setConstant(0.3);
  EXPECT_EQ(quality(broken).inverted, 1);
  EXPECT_LT(quality(broken).scaled_jacobian.min, 0.0);
}

TEST(Quality, CountsConnectedPartsAndUnusedVertices) {
  VoxelGrid grid = full_grid({5, 1, 1});
  grid.filled[2] = Voxel::empty;
  VolumeMesh mesh = hexahedra(grid);
  EXPECT_EQ(quality(mesh).components, 2);
  mesh.V.conservativeResize(3, mesh.vertex_count() + 3);
  mesh.V.rightCols(3).setZero();
  EXPECT_EQ(quality(mesh).components, 2);
  EXPECT_EQ(quality(mesh).unused_vertices, 3);
}

// A unit cube beside four (or fewer) cubes of half its size.
VolumeMesh graded(int small) {
  VolumeMesh mesh;
  mesh.type = ElementType::hex8;
  std::map<std::array<int, 3>, int> vertices;  // by twice the position
  std::vector<Vector3d> places;
  const auto brick = [&](const Vector3i& low, int size) {
    constexpr int c[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                             {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    Eigen::Matrix<int, 8, 1> nodes;
    for (int a = 0; a < 8; ++a) {
      const Vector3i p = low + size * Vector3i(c[a][0], c[a][1], c[a][2]);
      const auto [it, fresh] =
          vertices.try_emplace({p[0], p[1], p[2]}, static_cast<int>(places.size()));
      if (fresh) places.push_back(0.5 * p.cast<double>());
      nodes[a] = it->second;
    }
    mesh.E.conservativeResize(8, mesh.E.cols() + 1);
    mesh.E.col(mesh.E.cols() - 1) = nodes;
  };
  brick({0, 0, 0}, 2);
  for (int i = 0; i < small; ++i) brick({2, i % 2, i / 2}, 1);
  mesh.V.resize(3, static_cast<Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) mesh.V.col(static_cast<Index>(i)) = places[i];
  const auto at = [&](int y, int z) { return vertices.at({2, y, z}); };
  const std::array<int, 4> corners{at(0, 0), at(2, 0), at(2, 2), at(0, 2)};
  mesh.hanging.push_back({at(1, 1), 4, corners});
  mesh.hanging.push_back({at(1, 0), 2, {at(0, 0), at(2, 0), -1, -1}});
  mesh.hanging.push_back({at(0, 1), 2, {at(0, 0), at(0, 2), -1, -1}});
  if (small > 1) mesh.hanging.push_back({at(2, 1), 2, {at(2, 0), at(2, 2), -1, -1}});
  if (small > 2) mesh.hanging.push_back({at(1, 2), 2, {at(0, 2), at(2, 2), -1, -1}});
  std::sort(mesh.hanging.begin(), mesh.hanging.end(),
            [](const HangingNode& a, const HangingNode& b) { return a.node < b.node; });
  return mesh;
}

TEST(Quality, LeavesFacesBetweenBrickSizesOutOfTheBoundary) {
  const QualityReport whole = quality(graded(4));
  EXPECT_EQ(whole.hanging_nodes, 5);
  EXPECT_EQ(whole.components, 1);
  EXPECT_NEAR(whole.total_volume, 1.5, 1e-12);
  EXPECT_NEAR(whole.boundary_area, 8.0, 1e-12);
  // With one small cube: six sides of the large one, and four sides around the small one.
  EXPECT_NEAR(quality(graded(1)).boundary_area, 6.0 + 4 * 0.25, 1e-12);
}

TEST(Embedding, IsContinuousAcrossHangingNodes) {
  const VolumeMesh mesh = graded(4);
  Matrix3Xd u(3, mesh.vertex_count());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    u.col(v) = Vector3d(std::sin(3.0 * v), std::cos(5.0 * v), std::sin(7.0 * v));
  }
  for (const HangingNode& h : mesh.hanging) {
    u.col(h.node).setZero();
    for (int k = 0; k < h.count; ++k) {
      u.col(h.node) += u.col(h.parents[static_cast<std::size_t>(k)]) / h.count;
    }
  }
  for (int i = 1; i < 10; ++i) {
    for (int j = 1; j < 10; ++j) {
      Matrix3Xd points(3, 2);
      points << 1 - 1e-7, 1 + 1e-7, 0.1 * i, 0.1 * i, 0.1 * j, 0.1 * j;
      const Embedding W = embed(points, mesh);
      EXPECT_EQ(W.element[0], 0);
      EXPECT_NE(W.element[1], 0);
      const Matrix3Xd result = W.interpolate(u);
      EXPECT_LT((result.col(0) - result.col(1)).norm(), 1e-5);
    }
  }
}

TEST(Quality, RefusesWhatIsNoMesh) {
  EXPECT_THROW(quality(VolumeMesh{}), Error);
  VolumeMesh mesh = graded(4);
  mesh.hanging[0].parents[0] = 1000;
  EXPECT_THROW(quality(mesh), Error);
}

}  // namespace
}  // namespace pliant
