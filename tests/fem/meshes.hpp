// SPDX-License-Identifier: MIT
// Small meshes of each element type for the tests: a block, regular or with its inner and outer
// nodes moved at random (still convex enough to be valid).
#pragma once

#include <cmath>
#include <map>

#include "pliant/base/random.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::fem::test {

inline VolumeMesh hex_block(int nx, int ny, int nz, const Vector3d& size) {
  VolumeMesh mesh;
  mesh.type = ElementType::hex8;
  mesh.V.resize(3, (nx + 1) * (ny + 1) * (nz + 1));
  const auto node = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) {
        mesh.V.col(node(i, j, k)) << size[0] * i / nx, size[1] * j / ny, size[2] * k / nz;
      }
    }
  }
  mesh.E.resize(8, nx * ny * nz);
  int e = 0;
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        mesh.E.col(e++) << node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k),
            node(i, j + 1, k), node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1),
            node(i, j + 1, k + 1);
      }
    }
  }
  return mesh;
}

// Each box as six tetrahedra around its diagonal.
inline VolumeMesh tet_block(int nx, int ny, int nz, const Vector3d& size) {
  const VolumeMesh boxes = hex_block(nx, ny, nz, size);
  constexpr int split[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                               {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  VolumeMesh mesh;
  mesh.V = boxes.V;
  mesh.E.resize(4, 6 * boxes.element_count());
  for (int e = 0; e < boxes.element_count(); ++e) {
    for (int t = 0; t < 6; ++t) {
      for (int a = 0; a < 4; ++a) mesh.E(a, 6 * e + t) = boxes.E(split[t][a], e);
    }
  }
  return mesh;
}

inline VolumeMesh tet10_block(int nx, int ny, int nz, const Vector3d& size) {
  VolumeMesh mesh = tet_block(nx, ny, nz, size);
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  std::map<std::pair<int, int>, int> middle;
  std::vector<Vector3d> points;
  for (int v = 0; v < mesh.vertex_count(); ++v) points.push_back(mesh.V.col(v));
  MatrixXi E(10, mesh.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) {
    E.col(e).head<4>() = mesh.E.col(e);
    for (int k = 0; k < 6; ++k) {
      const int a = mesh.E(edges[k][0], e), b = mesh.E(edges[k][1], e);
      const auto [found, added] =
          middle.try_emplace(std::minmax(a, b), static_cast<int>(points.size()));
      if (added) {
        points.push_back(
            (points[static_cast<std::size_t>(a)] + points[static_cast<std::size_t>(b)]) / 2);
      }
      E(4 + k, e) = found->second;
    }
  }
  mesh.type = ElementType::tet10;
  mesh.E = E;
  mesh.V.resize(3, static_cast<Index>(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v) mesh.V.col(static_cast<Index>(v)) = points[v];
  return mesh;
}

inline VolumeMesh block(ElementType type, int nx, int ny, int nz, const Vector3d& size) {
  switch (type) {
    case ElementType::tet4:
      return tet_block(nx, ny, nz, size);
    case ElementType::tet10:
      return tet10_block(nx, ny, nz, size);
    case ElementType::hex8:
      return hex_block(nx, ny, nz, size);
  }
  return {};
}

// Moves every node by a smooth map, so that hexahedra are no boxes and quadratic edges are curved.
inline VolumeMesh warped(VolumeMesh mesh, double amount) {
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3d x = mesh.V.col(v);
    mesh.V.col(v) += amount * Vector3d(std::sin(3 * x[1] + x[2]), std::cos(2 * x[0] - x[2]),
                                       std::sin(2 * x[0] + 3 * x[1]));
  }
  return mesh;
}

inline VectorXd random_displacement(Index dof, double amount, std::uint64_t seed) {
  Random random(seed);
  VectorXd u(dof);
  for (double& x : u) x = random.uniform(-amount, amount);
  return u;
}

}  // namespace pliant::fem::test
