// SPDX-License-Identifier: MIT
// Graded hexahedra, [Zhuang00] 3.3: a 2:1 balanced octree, finest at the surface, whose cells grow
// in proportion to the distance from it, because what a load on the surface does inside fades as
// fast. The cells become 8-node bricks: O(n^2) of them at n cells a side, not O(n^3).
//
//   s <= h + growth * (d - s/2)
//
// s: size of a cell; d: distance of its centre from the surface, so that d - s/2 is that of its
// nearest face where the surface is parallel to it; h: size at the surface, side of the cube / n.
// With growth 1 each layer of cells may be twice as thick as the one before.
//
// Where a brick of size 2h meets smaller ones, the small ones' nodes in the middle of its edges and
// faces hang: their displacement is the mean of that of the edge's 2 or the face's 4 corners, and
// the field is continuous. They are listed in VolumeMesh::hanging.
//
// No node that another one hangs on hangs itself. For let N hang in the middle of an edge or face
// of a leaf C of size 2s, and let its corner A hang on a leaf D of size 4s. N is a corner of a leaf
// of size s, whose parent P has size 2s. An octree cell of size 2s that touches the middle of an
// edge (face) of C's lattice holds all of that edge (face) in its boundary, so P touches A; the
// child of P at A has a size of at most s and touches D, of size 4s, against the balance.
#pragma once

#include <limits>

#include "pliant/mesh/implicit.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

enum class GradedCells {
  touching,       // all that meet the body: none is missed, one within 0.06 h of it may be taken
  center_inside,  // those with their centre inside
};

inline constexpr int max_graded_resolution = 1024;

struct GradedOptions {
  int resolution = 32;       // n: finest cells across the cube; a power of two
  double enlargement = 1.2;  // of the cube, over the longest side of the body's box; 1 to 100
  double growth = 0.5;  // of the size by distance, >= 0; 0: uniform; from 1.5 the balance rules
  double coarsest = std::numeric_limits<double>::infinity();  // largest cell [m]
  GradedCells cells = GradedCells::touching;
};

// Elements in Morton order, nodes by z, then y, then x. Throws Error: options out of range; an
// empty or infinite box; a function value that is not a number; nothing to mesh; and what
// SurfaceDistance refuses.
VolumeMesh graded_hexahedra(const ImplicitBody& body, const GradedOptions& options = {});
VolumeMesh graded_hexahedra(const SurfaceMesh& surface, const GradedOptions& options = {});

}  // namespace pliant
