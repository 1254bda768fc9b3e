// SPDX-License-Identifier: MIT
// Pairs of triangles of a surface that meet other than in the vertices or the edge that they share.
// Touching counts; vertices at the same place count as shared, whatever their indices. Triangles
// without area and pairs of equal triangles are left out: they have their own line in a report.
// Decided with exact signs.
#pragma once

#include <array>
#include <cstdint>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

struct SelfIntersections {
  std::int64_t pairs = 0;
  bool complete = true;                 // false: the count stopped at the limit
  std::array<int, 2> first = {-1, -1};  // a pair to look at; -1: there is none
};

// The mesh must be valid (validate.hpp). Stops soon after `limit` pairs were found.
SelfIntersections count_self_intersections(const SurfaceMesh& mesh, std::int64_t limit = 100000);

}  // namespace pliant
