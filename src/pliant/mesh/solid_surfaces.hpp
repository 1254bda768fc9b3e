// SPDX-License-Identifier: MIT
// Closed surfaces of simple solids, about the origin, with y as their axis; the square is open. To
// draw them, and to weigh them: their edges are fine enough to look round.
#pragma once

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

SurfaceMesh square_surface(double side);  // in the plane y = 0, seen from above
SurfaceMesh sphere_surface(double radius);
SurfaceMesh box_surface(const Vector3d& sides);
SurfaceMesh capsule_surface(double radius, double length);  // length: between the ends' centres
SurfaceMesh cylinder_surface(double radius, double length);
SurfaceMesh torus_surface(double radius, double tube);

}  // namespace pliant
