// SPDX-License-Identifier: MIT
// Mass, centre of mass and inertia of the solid inside of a closed surface, at a density of 1, by
// exact integrals over its volume.
#pragma once

#include <string>

#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/rigid/rigid_body.hpp"

namespace pliant {

class TensorWriter;

// Throws Error: a surface that is open, one-sided, turned inside out, or without volume.
RigidInertia rigid_inertia(const SurfaceMesh& surface);

// The tensors mass [1], centre [3] and inertia [3, 3], their names after `prefix`.
void write_inertia(TensorWriter& writer, const std::string& prefix, const RigidInertia& unit);

}  // namespace pliant
