// SPDX-License-Identifier: MIT
#pragma once

#include <variant>

#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

// What a file of a format that knows both kinds may hold.
using AnyMesh = std::variant<SurfaceMesh, VolumeMesh>;

}  // namespace pliant
