// SPDX-License-Identifier: MIT
// What a reader did to the mesh beyond reading it.
#pragma once

#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

struct ReadReport {
  std::string format;                // e.g. "Gmsh 4.1 binary"
  std::vector<std::string> repairs;  // one sentence each, e.g. "turned 12 inverted tetrahedra"
  std::vector<std::string> notes;    // what was in the file and is not in the mesh
  // New index of each vertex of the file (-1: dropped). Empty if no vertex was moved, so that
  // companion files (fixed vertices, embeddings) can be translated.
  VectorXi vertex_map;
};

}  // namespace pliant
