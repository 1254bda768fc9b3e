// SPDX-License-Identifier: MIT
// What every mesh that comes out of a reader must fulfil; for tests and fuzz targets.
#pragma once

#include <string>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::test {

// What is wrong with the mesh; empty if nothing is.
inline std::string problem_of(const SurfaceMesh& mesh) {
  if (mesh.face_count() == 0) return "no triangle";
  if (!mesh.V.allFinite()) return "a coordinate is not finite";
  if (mesh.F.minCoeff() < 0 || mesh.F.maxCoeff() >= mesh.vertex_count()) return "a wrong index";
  VectorXi uses = VectorXi::Zero(mesh.vertex_count());
  for (const auto& t : mesh.F.colwise()) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return "a triangle with a repeated corner";
    for (const int i : t) ++uses[i];
  }
  if (uses.minCoeff() == 0) return "an unused vertex";
  if (mesh.group.size() == 0) return mesh.group_names.empty() ? "" : "names without groups";
  if (mesh.group.size() != mesh.F.cols()) return "a wrong number of groups";
  if (mesh.group.minCoeff() < 0 ||
      mesh.group.maxCoeff() >= static_cast<int>(mesh.group_names.size())) {
    return "a wrong group";
  }
  return "";
}

}  // namespace pliant::test
