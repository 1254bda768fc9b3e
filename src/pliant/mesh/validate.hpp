// SPDX-License-Identifier: MIT
// What every algorithm on meshes may rely on, checked at its door: meshes can come from a caller's
// arrays, not only from our readers.
#pragma once

#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

// Throw Error unless every index names a vertex, every coordinate is finite and below 1e100 (so
// that products of three stay finite), E has the rows of its type, and hanging nodes keep what
// VolumeMesh says of them.
void validate(const SurfaceMesh& mesh);
void validate(const VolumeMesh& mesh);

}  // namespace pliant
