// SPDX-License-Identifier: MIT
// What every mesh that comes out of a reader must fulfil; for tests and fuzz targets.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "pliant/mesh/io/any_mesh.hpp"

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

// The same for a solid.
inline std::string problem_of(const VolumeMesh& mesh) {
  if (mesh.element_count() == 0) return "no element";
  if (mesh.E.rows() != nodes_per_element(mesh.type)) return "a wrong number of nodes";
  if (!mesh.V.allFinite()) return "a coordinate is not finite";
  if (mesh.E.minCoeff() < 0 || mesh.E.maxCoeff() >= mesh.vertex_count()) return "a wrong index";
  for (int e = 0; e < mesh.element_count(); ++e) {
    if (mesh.type != ElementType::tet10 && !(element_volume(mesh, e) >= 0.0)) return "inverted";
  }
  if (mesh.region.size() != 0 && mesh.region.size() != mesh.E.cols()) return "a missing region";
  if ((mesh.region.size() == 0) != mesh.regions.empty()) return "regions of no element";
  for (const int r : mesh.region) {
    if (r < 0 || r >= static_cast<int>(mesh.regions.size())) return "a wrong region";
  }
  for (const Region& region : mesh.regions) {
    if (region.material < -1 || region.material >= static_cast<int>(mesh.materials.size())) {
      return "a wrong material";
    }
  }
  const auto wrong = [](const std::vector<NamedSet>& sets, int count) {
    for (const NamedSet& set : sets) {
      for (std::size_t i = 0; i < set.items.size(); ++i) {
        const int low = i == 0 ? 0 : set.items[i - 1] + 1;
        if (set.items[i] < low || set.items[i] >= count) return true;
      }
    }
    return false;
  };
  if (wrong(mesh.node_sets, mesh.vertex_count())) return "a wrong node set";
  if (wrong(mesh.element_sets, mesh.element_count())) return "a wrong element set";
  return "";
}

inline std::string problem_of(const AnyMesh& mesh) {
  return std::visit([](const auto& m) { return problem_of(m); }, mesh);
}

}  // namespace pliant::test
