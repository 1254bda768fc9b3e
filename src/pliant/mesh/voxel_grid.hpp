// SPDX-License-Identifier: MIT
// Voxels of a polygon soup, [Barbic05] 3.1 and [Barbic07] 2.5.2: a cube around the model (all sides
// equal, centred on it, enlarged by a factor), divided into n^3 voxels; those that meet a triangle
// are stored, and on wish those inside. They become 8-node bricks, or 5 or 6 tetrahedra each.
//
// A voxel is the closed cube origin + h [i, i+1] x [j, j+1] x [k, k+1]: a triangle that only
// touches it meets it. No voxel that meets a triangle is ever missed, whatever the rounding; one
// that comes within some 1e-12 of its side without meeting it may be taken.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

enum class Voxel : std::uint8_t {
  empty = 0,
  surface = 1,   // meets a triangle
  interior = 2,  // cannot be reached from outside through faces of empty voxels
};

struct VoxelGrid {
  Vector3d origin = Vector3d::Zero();  // lowest corner [m]
  double h = 1.0;                      // side of a voxel [m]
  Vector3i n = Vector3i::Zero();       // number of voxels in x, y, z
  std::vector<Voxel> filled;           // n0 n1 n2 entries, x fastest

  std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(n[0]) *
               (static_cast<std::size_t>(j) +
                static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(k));
  }
  Voxel operator()(int i, int j, int k) const { return filled[index(i, j, k)]; }
  std::int64_t count() const;  // of voxels that are not empty
};

// n^3 bytes are needed: 1 GiB at the largest.
inline constexpr int max_voxel_resolution = 1024;

struct VoxelOptions {
  int resolution = 64;         // n, 1 .. max_voxel_resolution
  double enlargement = 1.2;    // of the cube, >= 1
  bool fill_interior = false;  // else the model is a shell of voxels
  bool keep_largest = false;   // drop what is not connected by faces to the largest piece
};

// Throws Error: options out of range; no triangle; a vertex that is not finite or an index that
// does not exist; a model without extent, or so far from the origin that its voxels would be lost
// in the rounding of its coordinates.
VoxelGrid voxelise(const SurfaceMesh& surface, const VoxelOptions& options = {});

// Makes every empty voxel that is cut off from the grid's outside an interior one.
void fill_interior(VoxelGrid& grid);

// Numbers of voxels in the pieces connected by faces, the largest first. A piece that hangs on
// another by an edge or a corner alone is a mechanism, one that hangs on nothing flies away.
std::vector<std::int64_t> component_sizes(const VoxelGrid& grid);
// Returns how many voxels were dropped. Of equals, the first in the grid is kept.
std::int64_t keep_largest_component(VoxelGrid& grid);

// One hex8 a voxel, in the grid's order (x fastest), with shared vertices.
// Throws Error if there is no voxel, or more than an int can number the corners of.
VolumeMesh hexahedra(const VoxelGrid& grid);

enum class TetSplit {
  five,  // one regular and four corner tetrahedra; neighbours alternate so that faces conform
  six,   // six alike around the diagonal from the lowest to the highest corner (Kuhn)
};
VolumeMesh tetrahedra(const VoxelGrid& grid, TetSplit split);

}  // namespace pliant
