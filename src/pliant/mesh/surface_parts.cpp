// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_parts.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/mesh/surface_topology.hpp"

namespace pliant {
namespace {

// Pieces of a grid connected through faces, numbered as they are found.
class Pieces {
 public:
  explicit Pieces(const VoxelGrid& grid) : grid_(grid), label_(grid.filled.size(), -1) {
    for (std::size_t start = 0; start < label_.size(); ++start) {
      if (grid.filled[start] != Voxel::empty && label_[start] < 0) flood(start);
    }
  }
  const std::vector<std::int64_t>& sizes() const { return sizes_; }
  // -1: the point is in no voxel.
  int at(const Vector3d& x) const {
    const Vector3i i = ((x - grid_.origin) / grid_.h).array().floor().cast<int>();
    const Vector3i within = i.cwiseMax(0).cwiseMin(grid_.n - Vector3i::Ones());
    return label_[grid_.index(within[0], within[1], within[2])];
  }

 private:
  void flood(std::size_t start) {
    const auto piece = static_cast<int>(sizes_.size());
    std::int64_t size = 0;
    std::vector<std::size_t> waiting = {start};
    label_[start] = piece;
    const auto nx = static_cast<std::size_t>(grid_.n[0]), ny = static_cast<std::size_t>(grid_.n[1]),
               nz = static_cast<std::size_t>(grid_.n[2]);
    while (!waiting.empty()) {
      const std::size_t v = waiting.back();
      waiting.pop_back();
      ++size;
      const std::size_t i = v % nx, j = v / nx % ny, k = v / (nx * ny);
      const auto take = [&](std::size_t other) {
        if (grid_.filled[other] == Voxel::empty || label_[other] >= 0) return;
        label_[other] = piece;
        waiting.push_back(other);
      };
      if (i > 0) take(v - 1);
      if (i + 1 < nx) take(v + 1);
      if (j > 0) take(v - nx);
      if (j + 1 < ny) take(v + nx);
      if (k > 0) take(v - nx * ny);
      if (k + 1 < nz) take(v + nx * ny);
    }
    sizes_.push_back(size);
  }

  const VoxelGrid& grid_;
  std::vector<int> label_;
  std::vector<std::int64_t> sizes_;
};

}  // namespace

std::vector<SurfacePart> surface_parts(const SurfaceMesh& surface, const VoxelOptions& options) {
  VoxelOptions all = options;
  all.keep_largest = false;
  const VoxelGrid grid = voxelise(surface, all);
  const Pieces pieces(grid);
  std::vector<int> order(pieces.sizes().size());  // the largest first, of equals the first
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](int p) { return pieces.sizes()[static_cast<std::size_t>(p)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });

  const SurfaceTopology topology = topology_of(surface.F);
  std::vector<SurfacePart> parts(static_cast<std::size_t>(topology.components));
  std::vector<int> piece_of(parts.size(), -1);
  for (int t = 0; t < surface.face_count(); ++t) {
    if (topology.component[t] < 0) continue;
    const auto c = static_cast<std::size_t>(topology.component[t]);
    parts[c].triangles.push_back(t);
    for (const int v : surface.F.col(t)) {
      parts[c].box.extend(Vector3d(surface.V.col(v)));
      if (piece_of[c] < 0) piece_of[c] = pieces.at(surface.V.col(v));
    }
  }
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const auto found = std::find(order.begin(), order.end(), piece_of[c]);
    if (found == order.end()) continue;
    parts[c].piece = static_cast<int>(found - order.begin());
    parts[c].voxels = size(*found);
  }
  std::stable_sort(parts.begin(), parts.end(), [](const SurfacePart& a, const SurfacePart& b) {
    return a.piece != b.piece ? a.piece < b.piece : a.triangles.size() > b.triangles.size();
  });
  return parts;
}

SurfaceMesh extract(const SurfaceMesh& surface, const std::vector<int>& triangles) {
  SurfaceMesh part;
  part.group_names = surface.group_names;
  part.F.resize(3, static_cast<Index>(triangles.size()));
  if (surface.group.size() > 0) part.group.resize(part.F.cols());
  std::vector<int> renumbered(static_cast<std::size_t>(surface.vertex_count()), -1), kept;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int corner = 0; corner < 3; ++corner) {
      int& number = renumbered[static_cast<std::size_t>(surface.F(corner, triangles[t]))];
      if (number < 0) {
        number = static_cast<int>(kept.size());
        kept.push_back(surface.F(corner, triangles[t]));
      }
      part.F(corner, static_cast<Index>(t)) = number;
    }
    if (surface.group.size() > 0) part.group[static_cast<Index>(t)] = surface.group[triangles[t]];
  }
  part.V = surface.V(Eigen::all, kept);
  return part;
}

}  // namespace pliant
