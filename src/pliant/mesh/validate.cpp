// SPDX-License-Identifier: MIT
#include "pliant/mesh/validate.hpp"

#include <fmt/format.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr double largest_coordinate = 1e100;

void check_vertices(const Matrix3Xd& V) {
  for (Index v = 0; v < V.cols(); ++v) {
    for (int a = 0; a < 3; ++a) {
      if (!(std::abs(V(a, v)) <= largest_coordinate)) {
        throw Error({"", 0, fmt::format("vertex {}", v)}, "bad coordinate",
                    fmt::format("{}", V(a, v)), "a finite number below 1e100");
      }
    }
  }
}

template <class Indices>
void check_indices(const Indices& indices, int vertex_count, const char* what) {
  for (Index e = 0; e < indices.cols(); ++e) {
    for (Index a = 0; a < indices.rows(); ++a) {
      const int v = indices(a, e);
      if (v >= 0 && v < vertex_count) continue;
      throw Error(
          {"", 0, fmt::format("{} {}", what, e)}, "no such vertex", fmt::format("{}", v),
          vertex_count == 0 ? "a mesh with vertices" : fmt::format("0 to {}", vertex_count - 1));
    }
  }
}

void check_hanging(const VolumeMesh& mesh) {
  std::vector<char> hangs(static_cast<std::size_t>(mesh.vertex_count()), 0);
  const auto check_node = [&](const HangingNode& h, int node) {
    if (node >= 0 && node < mesh.vertex_count()) return;
    throw Error({"", 0, fmt::format("hanging node {}", h.node)}, "no such vertex",
                fmt::format("{}", node));
  };
  int before = -1;
  for (const HangingNode& h : mesh.hanging) {
    check_node(h, h.node);
    if (h.node <= before) {
      throw Error({"", 0, fmt::format("hanging node {}", h.node)}, "not in ascending order");
    }
    if (h.count != 2 && h.count != 4) {
      throw Error({"", 0, fmt::format("hanging node {}", h.node)}, "wrong number of parents",
                  fmt::format("{}", h.count), "2 or 4");
    }
    before = h.node;
    hangs[static_cast<std::size_t>(h.node)] = 1;
  }
  for (const HangingNode& h : mesh.hanging) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(h.count); ++k) {
      check_node(h, h.parents[k]);
      if (hangs[static_cast<std::size_t>(h.parents[k])]) {
        throw Error({"", 0, fmt::format("hanging node {}", h.node)}, "its parent hangs itself",
                    fmt::format("{}", h.parents[k]));
      }
    }
  }
}

}  // namespace

void validate(const SurfaceMesh& mesh) {
  check_vertices(mesh.V);
  check_indices(mesh.F, mesh.vertex_count(), "triangle");
}

void validate(const VolumeMesh& mesh) {
  check_vertices(mesh.V);
  if (mesh.E.cols() > 0 && mesh.E.rows() != nodes_per_element(mesh.type)) {
    throw Error({}, "wrong number of nodes in an element", fmt::format("{}", mesh.E.rows()),
                fmt::format("{} for a {}", nodes_per_element(mesh.type), name_of(mesh.type)));
  }
  check_indices(mesh.E, mesh.vertex_count(), "element");
  check_hanging(mesh);
}

}  // namespace pliant
