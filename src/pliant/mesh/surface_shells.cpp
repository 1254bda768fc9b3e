// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_shells.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include <Eigen/Geometry>

#include "pliant/mesh/triangle_tree.hpp"

namespace pliant {

std::vector<Shell> classify_shells(const SurfaceMesh& mesh, const SurfaceTopology& topology) {
  const auto patches = static_cast<std::size_t>(topology.patches);
  std::vector<std::vector<int>> triangles(patches);
  for (int f = 0; f < mesh.face_count(); ++f) {
    if (topology.patch[f] >= 0) triangles[static_cast<std::size_t>(topology.patch[f])].push_back(f);
  }
  const auto corner = [&](int f, int k) -> Vector3d { return mesh.V.col(mesh.F(k, f)); };

  std::vector<Shell> shells(patches, Shell::open);
  std::vector<Eigen::AlignedBox3d> boxes(patches);
  for (std::size_t s = 0; s < patches; ++s) {
    if (!topology.closed_patch[s] || !topology.orientable[s]) continue;
    for (const int f : triangles[s]) {
      for (int k = 0; k < 3; ++k) boxes[s].extend(corner(f, k));
    }
    const Vector3d o = boxes[s].center();
    double volume = 0.0;
    for (const int f : triangles[s]) {
      const double v = (corner(f, 0) - o).dot((corner(f, 1) - o).cross(corner(f, 2) - o)) / 6;
      volume += topology.turn[static_cast<std::size_t>(f)] ? -v : v;
    }
    shells[s] = volume < 0 ? Shell::inverted : Shell::outward;
  }
  Matrix3Xi turned = mesh.F;
  for (Index f = 0; f < turned.cols(); ++f) {
    if (topology.turn[static_cast<std::size_t>(f)]) std::swap(turned(1, f), turned(2, f));
  }
  std::vector<std::optional<TriangleTree>> trees(patches);  // of the shells that are asked
  for (std::size_t s = 0; s < patches; ++s) {
    if (shells[s] != Shell::inverted) continue;
    // The middle of a triangle, unlike a vertex, is not likely to lie on another shell.
    const int first = triangles[s][0];
    const Vector3d p = (corner(first, 0) + corner(first, 1) + corner(first, 2)) / 3;
    int around = 0;
    for (std::size_t o = 0; o < patches; ++o) {
      if (o == s || shells[o] == Shell::open || !boxes[o].contains(boxes[s])) continue;
      if (!trees[o]) trees[o].emplace(mesh.V, turned, triangles[o]);
      if (std::abs(trees[o]->winding_number(p)) > 0.5) ++around;
    }
    if (around % 2 == 1) shells[s] = Shell::cavity;
  }
  return shells;
}

}  // namespace pliant
