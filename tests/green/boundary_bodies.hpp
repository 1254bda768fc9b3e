// SPDX-License-Identifier: MIT
// Surfaces for boundary elements.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "pliant/green/bake/boundary_mesh.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::test {

// The unit cube, n squares of two triangles along a side.
inline SurfaceMesh cube_surface(int n) {
  return boundary_surface(block(ElementType::tet4, Vector3i::Constant(n), Vector3d::Ones()));
}

inline std::vector<int> face_nodes(const SurfaceMesh& mesh, int axis, double at) {
  std::vector<int> nodes;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (std::abs(mesh.V(axis, v) - at) < 1e-9) nodes.push_back(v);
  }
  return nodes;
}

inline std::vector<int> all_nodes(const BoundaryMesh& mesh) {
  std::vector<int> nodes;
  for (int v = 0; v < mesh.nodes(); ++v) nodes.push_back(v);
  return nodes;
}

inline std::array<Vector3d, 3> corners_of(const SurfaceMesh& mesh, Index t) {
  return {mesh.V.col(mesh.F(0, t)), mesh.V.col(mesh.F(1, t)), mesh.V.col(mesh.F(2, t))};
}

// An octahedron whose triangles are cut into four `times` times, on the unit sphere.
inline SurfaceMesh unit_sphere(int times) {
  std::vector<Vector3d> V = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<Vector3i> F = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                             {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int i = 0; i < times; ++i) {
    std::map<std::pair<int, int>, int> middle;
    const auto between = [&](int a, int b) {
      const auto [at, added] = middle.emplace(std::minmax(a, b), static_cast<int>(V.size()));
      if (added) {
        V.push_back((V[static_cast<std::size_t>(a)] + V[static_cast<std::size_t>(b)]).normalized());
      }
      return at->second;
    };
    std::vector<Vector3i> finer;
    for (const Vector3i& f : F) {
      const int a = between(f[0], f[1]), b = between(f[1], f[2]), c = between(f[2], f[0]);
      for (const Vector3i& part :
           {Vector3i(f[0], a, c), Vector3i(a, f[1], b), Vector3i(c, b, f[2]), Vector3i(a, b, c)}) {
        finer.push_back(part);
      }
    }
    F = std::move(finer);
  }
  SurfaceMesh mesh;
  mesh.V.resize(3, std::ssize(V));
  mesh.F.resize(3, std::ssize(F));
  for (std::size_t i = 0; i < V.size(); ++i) mesh.V.col(static_cast<Index>(i)) = V[i];
  for (std::size_t i = 0; i < F.size(); ++i) mesh.F.col(static_cast<Index>(i)) = F[i];
  return mesh;
}

// A ball of radius b with a hole of radius a in it.
inline SurfaceMesh hollow_ball(double a, double b, int times) {
  const SurfaceMesh unit = unit_sphere(times);
  SurfaceMesh mesh;
  const Index n = unit.V.cols(), f = unit.F.cols();
  mesh.V.resize(3, 2 * n);
  mesh.V << b * unit.V, a * unit.V;
  mesh.F.resize(3, 2 * f);
  mesh.F.leftCols(f) = unit.F;
  for (Index t = 0; t < f; ++t) {
    mesh.F.col(f + t) =
        Vector3i(unit.F(1, t), unit.F(0, t), unit.F(2, t)).array() + static_cast<int>(n);
  }
  return mesh;
}

}  // namespace pliant::test
