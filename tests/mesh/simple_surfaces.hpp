// SPDX-License-Identifier: MIT
// Closed surfaces with known distances, for tests.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::test {

inline SurfaceMesh box_surface(const Vector3d& low, const Vector3d& high) {
  SurfaceMesh s;
  s.V.resize(3, 8);
  for (int v = 0; v < 8; ++v) {
    for (int d = 0; d < 3; ++d) s.V(d, v) = (v >> d & 1) ? high[d] : low[d];
  }
  s.F.resize(3, 12);
  s.F.transpose() << 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4,
      6, 0, 6, 2, 1, 3, 7, 1, 7, 5;
  return s;
}

// Octahedron, each triangle cut into four `levels` times, on the sphere: 8 * 4^levels triangles.
inline SurfaceMesh sphere_surface(double radius, int levels,
                                  const Vector3d& center = Vector3d::Zero()) {
  std::vector<Vector3d> V = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<Vector3i> F = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                             {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middle;
    const auto mid = [&](int a, int b) {
      const auto [at, fresh] = middle.try_emplace({std::min(a, b), std::max(a, b)}, int(V.size()));
      if (fresh) V.push_back((V[std::size_t(a)] + V[std::size_t(b)]).normalized());
      return at->second;
    };
    std::vector<Vector3i> finer;
    for (const Vector3i& f : F) {
      const int ab = mid(f[0], f[1]), bc = mid(f[1], f[2]), ca = mid(f[2], f[0]);
      finer.insert(finer.end(), {{f[0], ab, ca}, {ab, f[1], bc}, {ca, bc, f[2]}, {ab, bc, ca}});
    }
    F = std::move(finer);
  }
  SurfaceMesh s;
  s.V.resize(3, Index(V.size()));
  for (std::size_t i = 0; i < V.size(); ++i) s.V.col(Index(i)) = center + radius * V[i];
  s.F.resize(3, Index(F.size()));
  for (std::size_t i = 0; i < F.size(); ++i) s.F.col(Index(i)) = F[i];
  return s;
}

inline SurfaceMesh joined(const SurfaceMesh& a, const SurfaceMesh& b) {
  SurfaceMesh s;
  s.V.resize(3, a.V.cols() + b.V.cols());
  s.V << a.V, b.V;
  s.F.resize(3, a.F.cols() + b.F.cols());
  s.F << a.F, (b.F.array() + a.vertex_count()).matrix();
  return s;
}

}  // namespace pliant::test
