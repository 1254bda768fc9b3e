// SPDX-License-Identifier: MIT
// Closes holes of a surface whose triangles agree in orientation. The hole's loop of n edges is
// triangulated so that the sum of areas is least (Barequet & Sharir 1995), in O(n^3), without using
// an edge that the surface already has. What would add 30 % or more to the area of its component is
// no hole but the rim of an open surface, and stays.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

struct HoleFilling {
  std::vector<Vector3i> triangles;  // to be added, oriented like their neighbours
  std::vector<int> beside;          // of each, a triangle of the surface at the hole's boundary
  int filled = 0;
  int left_open = 0;  // loops of more than max_edges, not simple, rims, without a triangulation
};

HoleFilling fill_holes(const Matrix3Xd& V, const Matrix3Xi& F, int max_edges);

}  // namespace pliant
