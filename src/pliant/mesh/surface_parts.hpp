// SPDX-License-Identifier: MIT
// The parts of a surface that do not hang together, and which of them hang together as voxels: two
// parts of one piece become one solid, those of another piece get no elements of it.
#pragma once

#include <vector>

#include <Eigen/Geometry>

#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant {

struct SurfacePart {
  std::vector<int> triangles;  // connected through edges
  Eigen::AlignedBox3d box;
  int piece = 0;            // of the voxels, connected through faces; 0: the largest
  std::int64_t voxels = 0;  // of that piece
};

// By pieces, and the parts of a piece by triangles, the largest first. `options` but for
// `keep_largest`. Throws Error as voxelise().
std::vector<SurfacePart> surface_parts(const SurfaceMesh& surface, const VoxelOptions& options);

// Some triangles and their vertices alone, with their groups.
SurfaceMesh extract(const SurfaceMesh& surface, const std::vector<int>& triangles);

}  // namespace pliant
