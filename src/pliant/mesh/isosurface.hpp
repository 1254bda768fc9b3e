// SPDX-License-Identifier: MIT
// The surface f = 0 of an implicit body as a closed, manifold mesh of well-shaped triangles.
//
// Marching tetrahedra on the body-centred cubic lattice give a closed manifold, but slivers where
// the surface passes close to a lattice point. As in isosurface stuffing (Labelle, Shewchuk 2007),
// such a point is moved onto the surface: all cuts of its edges become one vertex. Where that would
// pinch the surface (a fold or a neck thinner than the lattice) the point is left alone, so the
// result is a manifold always. A few steps of tangential smoothing, each followed by Newton's
// projection onto f = 0, even out the triangles.
#pragma once

#include "pliant/mesh/implicit.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

struct IsosurfaceOptions {
  // |f(x) - f(y)| <= lipschitz |x - y|: where |f| is large, space is skipped by this bound. 1 for a
  // distance; infinity if nothing is known (then f is evaluated on the whole lattice).
  double lipschitz = 1.0;
  int smoothing_steps = 3;
};

// `cell`: edge of the lattice's cubes [m]; the mesh has about 3.8 triangles per cell^2 of area.
// What is smaller than a cell may be lost. A body that leaves its box is cut off there. Throws
// Error if there is no surface, f is not a number, or the box is empty or has more than 4096 cells
// a side.
SurfaceMesh isosurface(const ImplicitBody& body, double cell,
                       const IsosurfaceOptions& options = {});

}  // namespace pliant
