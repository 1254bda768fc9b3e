// SPDX-License-Identifier: MIT
// What a test wants to know of a surface that should be closed, by plain counting.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::test {

struct ClosedSurface {
  bool closed;    // every directed edge is there once, and once the other way round
  bool manifold;  // closed, and the triangles around a vertex form one fan
  int euler;      // V - E + F
  double volume;
};

inline ClosedSurface closed_surface(const SurfaceMesh& mesh) {
  std::vector<std::pair<int, int>> edges;
  edges.reserve(static_cast<std::size_t>(3 * mesh.face_count()));
  std::vector<std::vector<std::pair<int, int>>> links(
      static_cast<std::size_t>(mesh.vertex_count()));
  ClosedSurface result{true, true, 0, 0};
  for (int f = 0; f < mesh.face_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.F(k, f), b = mesh.F((k + 1) % 3, f), c = mesh.F((k + 2) % 3, f);
      edges.emplace_back(a, b);
      links[static_cast<std::size_t>(a)].emplace_back(b, c);
    }
    result.volume +=
        mesh.V.col(mesh.F(0, f)).dot(mesh.V.col(mesh.F(1, f)).cross(mesh.V.col(mesh.F(2, f)))) / 6;
  }
  std::ranges::sort(edges);
  result.closed = std::ranges::adjacent_find(edges) == edges.end();
  for (const auto& [a, b] : edges) {
    if (!std::ranges::binary_search(edges, std::pair(b, a))) result.closed = false;
  }
  result.manifold = result.closed;
  for (auto& link : links) {
    std::map<int, int> next(link.begin(), link.end());
    if (link.empty() || next.size() != link.size()) {
      result.manifold = false;
      continue;
    }
    int at = link[0].first;
    std::size_t steps = 0;
    do {
      at = next[at];
    } while (++steps <= link.size() && at != link[0].first);
    if (steps != link.size()) result.manifold = false;
  }
  result.euler = mesh.vertex_count() - static_cast<int>(edges.size() / 2) + mesh.face_count();
  return result;
}

}  // namespace pliant::test
