// SPDX-License-Identifier: MIT
// The surface of half a ball below the plane z = 0, fine about the origin and coarser outwards: what
// stands for a half-space where a contact is small beside the body.
#pragma once

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

struct HalfBallOptions {
  double radius = 1.0;     // [m]
  double spacing = 0.005;  // of the nodes about the origin [m]
  int fine_rings = 10;     // that have it: triangles with equal sides, 6 k nodes on ring k
  double growth = 1.4;     // of the spacing from ring to ring beyond, > 1
  int down = 6;            // rings of the dome, at least 1
};

// Throws Error on numbers that give no surface. The nodes of the dome, the rim among them, come last.
SurfaceMesh half_ball(const HalfBallOptions& options);
// The first node of the dome.
int first_of_dome(const SurfaceMesh& mesh, const HalfBallOptions& options);

}  // namespace pliant
