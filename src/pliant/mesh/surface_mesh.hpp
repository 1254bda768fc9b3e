// SPDX-License-Identifier: MIT
// A triangle mesh. Nothing is promised about it: it may be open, non-manifold or a soup.
// Orientation: counter-clockwise seen from outside, so the signed volume of a closed body is > 0.
#pragma once

#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

struct SurfaceMesh {
  Matrix3Xd V;  // 3 by #V, positions [m]
  Matrix3Xi F;  // 3 by #F, vertex indices of the triangles
  // Named parts of the surface (an OBJ's groups, a glTF's meshes). Either both are empty, or
  // `group` has #F entries, indices into `group_names`.
  VectorXi group;
  std::vector<std::string> group_names;

  int vertex_count() const { return static_cast<int>(V.cols()); }
  int face_count() const { return static_cast<int>(F.cols()); }
};

}  // namespace pliant
