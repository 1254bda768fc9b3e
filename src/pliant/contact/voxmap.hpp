// SPDX-License-Identifier: MIT
// The voxmap of the Voxmap PointShell method (McNeely et al. 1999), against which [Barbic07] 3.11
// compares distance fields: integers on a lattice of voxels, in an octree of branching 8^3.
//
//   2 bits   0 free, 1 next to the surface, 2 surface, 3 inside
//   wide     also how many voxels away the surface is, in free space and inside, up to a limit
//
// A point in a surface voxel is pushed out along its own normal n by a force k p, where p is how far
// the point is beyond the plane through the voxel's centre across n. The force therefore jumps
// where a point goes from one voxel to the next, and vanishes past the one layer.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

// Filled by bake/voxmap_of.hpp.
struct VoxmapData {
  static constexpr int brick = 8;  // voxels a side

  Vector3d origin = Vector3d::Zero();
  double voxel = 0.0;  // side [m]
  Vector3i bricks = Vector3i::Zero();
  int most = 127;                   // beyond it distances are not told
  std::vector<std::int32_t> table;  // a brick's first voxel; ~(value + 128): all its voxels have it
  std::vector<std::int8_t> voxels;  // wide values: below 0 inside, 0 surface, above 0 free
};

class Voxmap {
 public:
  // Throws Error if sizes do not agree.
  explicit Voxmap(VoxmapData data);

  double voxel() const { return data_.voxel; }
  Index byte_count() const;

  // --- online. Wide value at a place: 0 surface; how many voxels away outside (+), inside (-).
  int value(const Vector3d& x) const noexcept;
  int two_bits(const Vector3d& x) const noexcept;
  Vector3d centre(const Vector3d& x) const noexcept;  // of the voxel that holds it
  // Depth p of a point with inward normal n [m]; 0: no contact.
  double depth(const Vector3d& x, const Vector3d& n) const noexcept;

 private:
  VoxmapData data_;
};

}  // namespace pliant
