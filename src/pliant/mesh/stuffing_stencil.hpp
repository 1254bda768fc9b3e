// SPDX-License-Identifier: MIT
// The stencils of isosurface stuffing [Labelle07]: what is left of one tetrahedron of the
// body-centred cubic (BCC) lattice inside the surface, once the lattice was warped.
//
// Corners 0..3 of the tetrahedron, det[x1-x0, x2-x0, x3-x0] > 0; 01 and 23 are its two long edges
// (length 1, along the axes), the other four are short (length sqrt(3)/2). A corner's sign is that
// of f: -1 inside, 0 on the surface (the warped ones), +1 outside. An edge from - to + carries a
// cut point.
//
// A face of signs (-, -, +) leaves a quadrilateral, which must be halved alike from both sides:
//   - its uncut edge is long: the diagonal starts from the inside corner that exceeds the outside
//     corner in an odd number of coordinates (the parity rule);
//   - its uncut edge is short: the diagonal ends in the cut point of the long edge.
// Both are rules of the face alone, so neighbours agree; and in no tetrahedron do the diagonals of
// a prism run in a circle, so every prism is three tetrahedra without a further point.
#pragma once

#include <array>
#include <cstdint>

namespace pliant {

// Label of a corner of the result: 0..3 a corner of the tetrahedron, 4 + e the cut point of its
// edge e, in the order 01 02 03 12 13 23.
using StencilTet = std::array<std::uint8_t, 4>;

struct Stencil {
  int count = 0;  // of tetrahedra, positively oriented
  std::array<StencilTet, 3> tets{};
};

inline constexpr int stencil_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// odd: corner 0 exceeds corner 2 in an odd number of coordinates. It settles the parity rule for
// all faces: along a long edge, and from one end of a long edge to the other, the parity changes.
const Stencil& stuffing_stencil(const std::array<int, 4>& sign, bool odd);

}  // namespace pliant
