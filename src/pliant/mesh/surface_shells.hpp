// SPDX-License-Identifier: MIT
// Which of the closed patches of a surface are turned inwards, and which of these are the walls of
// a cavity: inside of an odd number of the others.
#pragma once

#include <vector>

#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/surface_topology.hpp"

namespace pliant {

enum class Shell : char {
  outward,
  cavity,    // turned inwards, as it should be
  inverted,  // turned inwards without reason
  open,      // not closed, or one-sided: has no inside
};

// One entry a patch; the triangles are taken as turned by topology.turn.
std::vector<Shell> classify_shells(const SurfaceMesh& mesh, const SurfaceTopology& topology);

}  // namespace pliant
