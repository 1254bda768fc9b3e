// SPDX-License-Identifier: MIT
// The three meshes that go through every volume format: linear tetrahedra, bricks with regions,
// materials and sets, quadratic tetrahedra.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::test {

// nx by ny by nz bricks; coordinates are not representable in few decimals.
inline VolumeMesh brick_block(int nx, int ny, int nz) {
  VolumeMesh mesh;
  mesh.type = ElementType::hex8;
  const auto node = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  mesh.V.resize(3, node(nx, ny, nz) + 1);
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i)
        mesh.V.col(node(i, j, k)) = Vector3d(i / 3.0, j / 7.0, -k * 0.1);
    }
  }
  // Downwards in z, so the bottom of each brick is at k + 1.
  mesh.E.resize(8, nx * ny * nz);
  int e = 0;
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        mesh.E.col(e++) << node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1),
            node(i, j + 1, k + 1), node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k),
            node(i, j + 1, k);
      }
    }
  }
  return mesh;
}

// With a region and sets, as small as can be: for files that are to be damaged.
inline VolumeMesh two_bricks() {
  VolumeMesh mesh = brick_block(2, 1, 1);
  mesh.region = VectorXi::Zero(2);
  mesh.regions = {{"one", -1}};
  mesh.node_sets = {{"a", {0, 1}}, {"b", {1, 2}}};
  mesh.element_sets = {{"c", {1}}};
  return mesh;
}

// Each brick as six tetrahedra around its diagonal.
inline VolumeMesh tet_block(int nx, int ny, int nz) {
  const VolumeMesh bricks = brick_block(nx, ny, nz);
  constexpr int tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                              {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  VolumeMesh mesh;
  mesh.V = bricks.V;
  mesh.E.resize(4, 6 * bricks.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int a = 0; a < 4; ++a) mesh.E(a, e) = bricks.E(tets[e % 6][a], e / 6);
  }
  return mesh;
}

// The same with midpoints; those on top are a little off the straight edges.
inline VolumeMesh quadratic_tet_block(int nx, int ny, int nz) {
  const VolumeMesh linear = tet_block(nx, ny, nz);
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  std::map<std::pair<int, int>, int> midpoints;
  std::vector<Vector3d> points;
  VolumeMesh mesh;
  mesh.type = ElementType::tet10;
  mesh.E.resize(10, linear.element_count());
  for (int e = 0; e < linear.element_count(); ++e) {
    mesh.E.col(e).head(4) = linear.E.col(e);
    for (int k = 0; k < 6; ++k) {
      const std::pair<int, int> edge =
          std::minmax({int(linear.E(edges[k][0], e)), int(linear.E(edges[k][1], e))});
      const int next = linear.vertex_count() + static_cast<int>(points.size());
      const auto [at, is_new] = midpoints.emplace(edge, next);
      if (is_new) {
        Vector3d x = 0.5 * (linear.V.col(edge.first) + linear.V.col(edge.second));
        if (x.z() == 0.0) x.z() = 0.002;
        points.push_back(x);
      }
      mesh.E(4 + k, e) = at->second;
    }
  }
  mesh.V.resize(3, linear.vertex_count() + static_cast<Index>(points.size()));
  mesh.V.leftCols(linear.vertex_count()) = linear.V;
  for (std::size_t i = 0; i < points.size(); ++i) {
    mesh.V.col(linear.vertex_count() + static_cast<Index>(i)) = points[i];
  }
  return mesh;
}

// Bricks of two regions, with materials of each law and sets.
inline VolumeMesh composite_block() {
  VolumeMesh mesh = brick_block(3, 2, 2);
  mesh.region.resize(mesh.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) mesh.region[e] = e % 3 == 0 ? 0 : e < 8 ? 1 : 2;
  mesh.regions = {{"steel-plate", 0}, {"rubber", 1}, {"wood", 2}};
  using Law = MaterialRecord::Law;
  mesh.materials = {{"steel", Law::isotropic, 7850.1, {2.1e11, 0.3}},
                    {"rubber", Law::mooney_rivlin, 1100.0, {1e5 / 3, 2e5, 4096}},
                    {"wood",
                     Law::orthotropic,
                     600.0,
                     {1e10, 8e9, 4e9, 0.25, 0.3, 0.125, 1e9, 2e9, 3e9, 1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  mesh.node_sets = {{"fixed", {0, 1, 5, 17}}, {"top", {2}}};
  mesh.element_sets = {{"core", {0, 3, 4, 11}}};
  return mesh;
}

// The same without materials, for formats that have none.
inline VolumeMesh composite_block_without_materials() {
  VolumeMesh mesh = composite_block();
  mesh.materials.clear();
  for (Region& region : mesh.regions) region.material = -1;
  return mesh;
}

inline void expect_same_sets(const std::vector<NamedSet>& a, const std::vector<NamedSet>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].items, b[i].items) << a[i].name;
  }
}

// Nodes and elements to the last bit.
inline void expect_same_geometry(const VolumeMesh& a, const VolumeMesh& b) {
  EXPECT_EQ(a.type, b.type);
  ASSERT_EQ(a.V.cols(), b.V.cols());
  ASSERT_EQ(a.E.cols(), b.E.cols());
  ASSERT_EQ(a.E.rows(), b.E.rows());
  EXPECT_EQ(a.V, b.V);
  EXPECT_EQ(a.E, b.E);
}

inline void expect_same_regions(const VolumeMesh& a, const VolumeMesh& b) {
  ASSERT_EQ(a.region.size(), b.region.size());
  EXPECT_EQ(a.region, b.region);
  ASSERT_EQ(a.regions.size(), b.regions.size());
  for (std::size_t i = 0; i < a.regions.size(); ++i) {
    EXPECT_EQ(a.regions[i].name, b.regions[i].name);
    EXPECT_EQ(a.regions[i].material, b.regions[i].material) << a.regions[i].name;
  }
}

inline void expect_same_materials(const VolumeMesh& a, const VolumeMesh& b) {
  ASSERT_EQ(a.materials.size(), b.materials.size());
  for (std::size_t i = 0; i < a.materials.size(); ++i) {
    EXPECT_EQ(a.materials[i].name, b.materials[i].name);
    EXPECT_EQ(a.materials[i].law, b.materials[i].law);
    EXPECT_EQ(a.materials[i].density, b.materials[i].density);
    EXPECT_EQ(a.materials[i].parameters, b.materials[i].parameters);
  }
}

inline void expect_same_mesh(const VolumeMesh& a, const VolumeMesh& b) {
  expect_same_geometry(a, b);
  expect_same_regions(a, b);
  expect_same_materials(a, b);
  expect_same_sets(a.node_sets, b.node_sets);
  expect_same_sets(a.element_sets, b.element_sets);
}

}  // namespace pliant::test
