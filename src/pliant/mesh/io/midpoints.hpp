// SPDX-License-Identifier: MIT
// Formats disagree on the order of a quadratic tetrahedron's midpoints, and so do programs that
// write one format. The geometry tells: a midpoint lies near the middle of its edge.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

struct MidpointOrder {
  const char* name;
  std::array<int, 6> position;  // of the midpoints of 01 12 20 03 13 23 in the file's element
};
inline constexpr MidpointOrder pliant_midpoints{"VTK", {4, 5, 6, 7, 8, 9}};
inline constexpr MidpointOrder gmsh_midpoints{"Gmsh", {4, 5, 6, 7, 9, 8}};
// Edges 23 03 01 12 13 02: what tetgen -o2 writes.
inline constexpr MidpointOrder tetgen_midpoints{"TetGen", {6, 7, 9, 5, 8, 4}};

// Puts `nodes` (10 an element, indices that exist) into the order of volume_mesh.hpp. Of the orders
// above it takes the one that fits best, the expected one in doubt, and reports if it is another.
// Throws if a midpoint is farther from the middle of its edge than half the edge's length.
void sort_midpoints(std::vector<int>& nodes, const Matrix3Xd& V, const MidpointOrder& expected,
                    const std::string& file, std::span<const long> element_lines,
                    ReadReport& report);

}  // namespace pliant::io
