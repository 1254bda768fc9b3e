// SPDX-License-Identifier: MIT
// Isosurface stuffing: a tetrahedral mesh of any solid, with good dihedral angles throughout
// (F. Labelle and J. R. Shewchuk, Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral
// Angles, SIGGRAPH 2007; key [Labelle07]).
//
//   1. Lay a body-centred cubic (BCC) lattice of cell size h over the body: the corners and the
//      centres of cubes, joined by long edges (h, corner to corner, centre to centre) and short
//      ones (h sqrt(3)/2, corner to centre). Its tetrahedra have angles of 60 and 90 degrees.
//   2. On every edge whose ends lie on different sides of f = 0, find the cut point.
//   3. Warp: a lattice point with a cut point nearer than alpha times the edge's length moves to
//      its nearest one, and counts as f = 0; the other cut points of its edges vanish.
//   4. Fill: each lattice tetrahedron leaves the part inside, by the stencils of
//      mesh/stuffing_stencil.hpp.
//
// The angles are bounded, for any f whatsoever: [Labelle07] publishes 10.7 and 164.8 degrees. The
// thresholds below are those that make the smallest angle of the stencils largest, over all signs,
// warps and cut points; they give 10.75 and 164.71 degrees (test StuffingStencil).
//
// Graded: cubes that are not near the surface merge, eight to one and again, as long as neighbours
// (26 of them) differ by a factor of two at most. Between cubes of different size the BCC
// tetrahedra are halved or quartered, or give way to half-pyramids; their angles are 45, 60, 90 and
// 120 degrees. All cubes round a cut edge stay smallest, so the bounds hold as they are, and the
// number of tetrahedra grows as n^2, not n^3.
//
// The surface follows f = 0 with an error of order h^2 where it is smooth; edges of a body are
// bevelled by about h. What is thinner than h may vanish or break up.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/implicit.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

struct StuffingOptions {
  int resolution = 32;  // n, number of smallest cubes along the longest side of the body's box
  bool graded = false;
};

// Of the edge's length, for long and short edges.
inline constexpr double stuffing_alpha_long = 0.285;
inline constexpr double stuffing_alpha_short = 0.3985;
// [Labelle07], degrees.
inline constexpr double stuffing_min_angle = 10.7;
inline constexpr double stuffing_max_angle = 164.8;

// All tetrahedra are positively oriented, every vertex is used, every vertex of the outer surface
// lies on f = 0 (to 1e-12 of the variation of f along an edge). The outer surface is closed, and a
// manifold where the lattice resolves the body: parts that meet in a vertex only have a copy of it
// each, but a cavity may touch another one, or itself, in a vertex. The result does not depend on
// the number of threads.
//
// Throws an Error if the resolution is less than 2 or too fine (more than 40 million lattice
// points), if the box is empty or not finite, if f is not finite somewhere, if the body reaches
// beyond its box, or if it is so thin that nothing of it is left.
VolumeMesh stuff(const ImplicitBody& body, const StuffingOptions& options = {},
                 Progress& progress = Progress::none());

// The inside of a closed surface, consistently oriented (see SurfaceDistance). For a surface with
// holes or overlaps take implicit_of(surface, DistanceSign::winding_number), which closes them.
VolumeMesh stuff(const SurfaceMesh& surface, const StuffingOptions& options = {},
                 Progress& progress = Progress::none());

}  // namespace pliant
