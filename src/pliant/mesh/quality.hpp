// SPDX-License-Identifier: MIT
// How good a volume mesh is for simulation. Angles in degrees, lengths in m; tet10 is judged by its
// corners, except for its volume.
//
//   dihedral angles     tets: the six between the faces; 70.53 in the regular one
//   corner angles       hexes: the 24 between the edges of a face; 90 in a brick
//   scaled Jacobian     hexes: at a corner, the determinant of the unit vectors along its three
//                       edges, 1 in a brick; of an element, the least of the eight
//   Jacobian ratio      hexes: least over greatest determinant at the corners, 1 in a brick
//   aspect ratio        tets: longest edge / (2 sqrt(6) inscribed radius), 1 in the regular one;
//                       hexes: longest edge / shortest edge
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

// All zero where there is nothing to judge.
struct Statistics {
  double min = 0.0, max = 0.0, mean = 0.0;
};

struct QualityReport {
  ElementType type = ElementType::tet4;
  int vertices = 0, elements = 0;
  int unused_vertices = 0;
  int hanging_nodes = 0;
  int components = 0;          // connected by nodes, hanging nodes with their parents
  int inverted = 0;            // elements without positive volume, or with a corner turned over
  int worst_element = -1;      // of least dihedral angle, or least scaled Jacobian
  double total_volume = 0.0;   // [m^3]
  double boundary_area = 0.0;  // [m^2]; faces between a brick and four smaller ones do not count
  Statistics volume;           // of the elements
  Statistics edge_length;      // of the edges, each once
  Statistics aspect_ratio;     // infinite where the volume vanishes

  Statistics dihedral;                           // tets: of all angles
  std::array<std::int64_t, 18> dihedral_bins{};  // tets: angles in [10 i, 10 (i + 1))
  Statistics corner_angle;                       // hexes: of all angles
  Statistics scaled_jacobian;                    // hexes: of the elements
  std::array<std::int64_t, 20>
      jacobian_bins{};        // hexes: elements in [i / 10 - 1, (i + 1) / 10 - 1)
  Statistics jacobian_ratio;  // hexes: of the elements
};

// Throws Error if the mesh is not valid or has no element.
QualityReport quality(const VolumeMesh& mesh);

}  // namespace pliant
