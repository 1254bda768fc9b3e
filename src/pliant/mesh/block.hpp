// SPDX-License-Identifier: MIT
// Structured meshes of a box, and quadratic tetrahedra from linear ones.
#pragma once

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

// The box [0, size] cut into n[0] x n[1] x n[2] equal boxes, x fastest: one hex8 each, or six
// tetrahedra around the diagonal from the lowest to the highest corner. Throws Error for counts
// below 1 or sizes that are not positive.
VolumeMesh block(ElementType type, const Vector3i& n, const Vector3d& size);

// tet10 with a new node in the middle of each edge, behind the corners; sets and regions stay.
// Throws Error if the mesh is not of tet4.
VolumeMesh quadratic(const VolumeMesh& mesh);

}  // namespace pliant
