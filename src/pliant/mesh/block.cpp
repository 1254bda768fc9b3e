// SPDX-License-Identifier: MIT
#include "pliant/mesh/block.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr int diagonal_split[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                      {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
constexpr int tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

VolumeMesh bricks(const Vector3i& n, const Vector3d& size) {
  VolumeMesh mesh;
  mesh.type = ElementType::hex8;
  const auto node = [&](int i, int j, int k) { return (k * (n[1] + 1) + j) * (n[0] + 1) + i; };
  mesh.V.resize(3, (n[0] + 1) * (n[1] + 1) * (n[2] + 1));
  mesh.E.resize(8, n.prod());
  int e = 0;
  for (int k = 0; k <= n[2]; ++k) {
    for (int j = 0; j <= n[1]; ++j) {
      for (int i = 0; i <= n[0]; ++i) {
        mesh.V.col(node(i, j, k)) << size[0] * i / n[0], size[1] * j / n[1], size[2] * k / n[2];
        if (i == n[0] || j == n[1] || k == n[2]) continue;
        mesh.E.col(e++) << node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k),
            node(i, j + 1, k), node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1),
            node(i, j + 1, k + 1);
      }
    }
  }
  return mesh;
}

VolumeMesh split_bricks(const VolumeMesh& boxes) {
  VolumeMesh mesh;
  mesh.V = boxes.V;
  mesh.E.resize(4, 6 * boxes.element_count());
  for (int e = 0; e < boxes.element_count(); ++e) {
    for (int t = 0; t < 6; ++t) {
      for (int a = 0; a < 4; ++a) mesh.E(a, 6 * e + t) = boxes.E(diagonal_split[t][a], e);
    }
  }
  return mesh;
}

}  // namespace

VolumeMesh block(ElementType type, const Vector3i& n, const Vector3d& size) {
  if (n.minCoeff() < 1 || !(size.minCoeff() > 0) || !size.allFinite()) {
    throw Error({}, "a block needs positive counts and sizes",
                fmt::format("{} x {} x {}", n[0], n[1], n[2]), "at least 1 x 1 x 1");
  }
  VolumeMesh boxes = bricks(n, size);
  if (type == ElementType::hex8) return boxes;
  const VolumeMesh tets = split_bricks(boxes);
  return type == ElementType::tet4 ? tets : quadratic(tets);
}

VolumeMesh quadratic(const VolumeMesh& mesh) {
  if (mesh.type != ElementType::tet4) {
    throw Error({}, "only linear tetrahedra become quadratic", name_of(mesh.type),
                name_of(ElementType::tet4));
  }
  // The edges of all elements, sorted: equal ones share a middle.
  struct Edge {
    std::array<int, 2> ends;
    int element, place;
  };
  std::vector<Edge> edges;
  edges.reserve(6 * static_cast<std::size_t>(mesh.element_count()));
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = std::minmax(mesh.E(tet_edges[k][0], e), mesh.E(tet_edges[k][1], e));
      edges.push_back({{a, b}, e, 4 + k});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.ends, a.element) < std::tie(b.ends, b.element);
  });
  VolumeMesh out = mesh;
  out.type = ElementType::tet10;
  out.E.resize(10, mesh.element_count());
  out.E.topRows(4) = mesh.E;
  std::vector<Vector3d> middles;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i == 0 || edges[i].ends != edges[i - 1].ends) {
      middles.push_back((mesh.V.col(edges[i].ends[0]) + mesh.V.col(edges[i].ends[1])) / 2);
    }
    out.E(edges[i].place, edges[i].element) =
        mesh.vertex_count() + static_cast<int>(middles.size()) - 1;
  }
  out.V.conservativeResize(3, mesh.vertex_count() + static_cast<Index>(middles.size()));
  for (std::size_t i = 0; i < middles.size(); ++i) {
    out.V.col(mesh.vertex_count() + static_cast<Index>(i)) = middles[i];
  }
  return out;
}

}  // namespace pliant
