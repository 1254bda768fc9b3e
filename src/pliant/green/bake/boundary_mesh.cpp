// SPDX-License-Identifier: MIT
#include "pliant/green/bake/boundary_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/surface_report.hpp"
#include "pliant/mesh/surface_topology.hpp"

namespace pliant {
namespace {

// Twice the area over the square of the longest side: thinner is a needle or a line.
constexpr double least_shape = 1e-6;

Vector3d vector_area(const SurfaceMesh& surface, Index t) {
  const Vector3d a = surface.V.col(surface.F(0, t));
  return 0.5 * (surface.V.col(surface.F(1, t)) - a).cross(surface.V.col(surface.F(2, t)) - a);
}

[[noreturn]] void fail_at(Index triangle, const std::string& message, const std::string& value,
                          const std::string& expected) {
  throw Error({"", 0, fmt::format("triangle {}", triangle)}, message, value, expected);
}

// Corners of triangles in groups: corner c of triangle t is 3 t + c.
class Groups {
 public:
  explicit Groups(Index size) : parent_(static_cast<std::size_t>(size)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int i) {
    while (at(i) != i) i = at(i) = at(at(i));
    return i;
  }
  void join(int i, int j) {
    i = root(i);
    j = root(j);
    at(std::max(i, j)) = std::min(i, j);
  }

 private:
  int& at(int i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<int> parent_;
};

int corner_of(const Matrix3Xi& F, int t, int v) {
  for (int c = 0; c < 3; ++c) {
    if (F(c, t) == v) return 3 * t + c;
  }
  return -1;
}

}  // namespace

void check_boundary(const SurfaceMesh& surface) {
  for (Index t = 0; t < surface.F.cols(); ++t) {
    double longest = 0;
    for (int c = 0; c < 3; ++c) {
      const auto side = surface.V.col(surface.F((c + 1) % 3, t)) - surface.V.col(surface.F(c, t));
      longest = std::max(longest, side.squaredNorm());
    }
    const double twice = 2 * vector_area(surface, t).norm();
    if (!(twice > least_shape * longest)) {
      fail_at(t, "it is degenerate", fmt::format("area {:.3g} m^2", twice / 2),
              "triangles that are not flat to a line: pliant mesh --repair");
    }
  }
  const SurfaceTopology topology = topology_of(surface.F);
  for (std::size_t e = 0; e < topology.edge_count(); ++e) {
    const std::size_t first = topology.edges[e], uses = topology.edges[e + 1] - first;
    const EdgeUse& use = topology.uses[first];
    if (uses == 2 && use.forward != topology.uses[first + 1].forward) continue;
    const char* what = uses == 1   ? "the surface is open at this triangle's edge"
                       : uses == 2 ? "two triangles that share an edge are turned differently"
                                   : "more than two triangles share an edge";
    fail_at(use.triangle, what, fmt::format("nodes {} and {}", use.a, use.b),
            "a closed surface: every edge has two triangles");
  }
  const SurfaceReport report = inspect(surface);
  if (topology.components != 1 + report.cavities) {
    Index other = 0;
    while (topology.component[other] == topology.component[0]) ++other;
    fail_at(other, "it is of another body than triangle 0",
            fmt::format("{} parts", topology.components),
            "the surface of one body, and its cavities");
  }
  const std::vector<int> split = split_vertices(surface.F, topology);
  if (!split.empty()) {
    const Vector3d x = surface.V.col(split.front());
    throw Error({"", 0, fmt::format("node {}", split.front())},
                "the surface touches itself in this node",
                fmt::format("at ({:.6g}, {:.6g}, {:.6g}) m", x[0], x[1], x[2]),
                "a surface that bounds a body");
  }
  if (report.self_intersections.pairs > 0) {
    fail_at(report.self_intersections.first[0],
            fmt::format("it overlaps triangle {}", report.self_intersections.first[1]), "",
            "a surface that does not meet itself");
  }
  if (!report.vector_area_vanishes) {
    throw Error({"", 0, "surface"}, "the vector areas of its triangles do not sum to zero",
                fmt::format("{:.3g} of the area", report.vector_area), "a closed surface");
  }
  if (report.mass.volume <= 0) {
    throw Error({"", 0, "surface"}, "it is turned inside out", "", "triangles that face outward");
  }
}

BoundaryMesh boundary_mesh(const SurfaceMesh& surface, const std::vector<int>& fixed,
                           double sharp) {
  check_boundary(surface);
  BoundaryMesh out;
  out.V = surface.V;
  out.F = surface.F;
  const Index n = surface.V.cols(), triangles = surface.F.cols();
  std::vector<char> wanted(static_cast<std::size_t>(n)), held(wanted),
      part(static_cast<std::size_t>(triangles));
  for (const int v : fixed) wanted[static_cast<std::size_t>(v)] = 1;
  for (Index t = 0; t < triangles; ++t) {
    const auto is = [&](int c) { return wanted[static_cast<std::size_t>(surface.F(c, t))] != 0; };
    if (!is(0) || !is(1) || !is(2)) continue;
    part[static_cast<std::size_t>(t)] = 1;
    for (int c = 0; c < 3; ++c) held[static_cast<std::size_t>(surface.F(c, t))] = 1;
  }
  for (int v = 0; v < n; ++v) {
    (held[static_cast<std::size_t>(v)] != 0 ? out.held : out.free).push_back(v);
  }
  if (out.held.empty() || out.free.empty()) {
    throw Error({"", 0, "fixed"},
                out.held.empty() ? "no triangle of the surface is held: the body would fly off"
                                 : "the whole surface is held",
                fmt::format("{} nodes", fixed.size()), "a part of the surface");
  }

  Groups groups(3 * triangles);
  const SurfaceTopology topology = topology_of(surface.F);
  for (std::size_t e = 0; e < topology.edge_count(); ++e) {
    const EdgeUse& one = topology.uses[topology.edges[e]];
    const EdgeUse& two = topology.uses[topology.edges[e] + 1];
    const bool both = part[static_cast<std::size_t>(one.triangle)] != 0;
    if (both != (part[static_cast<std::size_t>(two.triangle)] != 0)) continue;
    const double bend =
        std::acos(std::clamp(vector_area(surface, one.triangle)
                                 .normalized()
                                 .dot(vector_area(surface, two.triangle).normalized()),
                             -1.0, 1.0));
    if (!both && bend > sharp) continue;
    for (const int v : {one.a, one.b}) {
      groups.join(corner_of(surface.F, one.triangle, v), corner_of(surface.F, two.triangle, v));
    }
  }
  // Held triangles that meet in a node alone share its one reaction as well.
  std::vector<int> first_held(static_cast<std::size_t>(n), -1);
  for (int t = 0; t < triangles; ++t) {
    if (part[static_cast<std::size_t>(t)] == 0) continue;
    for (int c = 0; c < 3; ++c) {
      int& first = first_held[static_cast<std::size_t>(surface.F(c, t))];
      if (first < 0) first = 3 * t + c;
      groups.join(first, 3 * t + c);
    }
  }

  std::map<int, int> number;  // of a group
  std::vector<int> node;
  out.P.resize(3, triangles);
  for (int i = 0; i < 3 * triangles; ++i) {
    const int root = groups.root(i);
    const auto [at, added] = number.emplace(root, static_cast<int>(node.size()));
    if (added) node.push_back(surface.F(i % 3, i / 3));
    out.P(i % 3, i / 3) = at->second;
  }
  out.node = Eigen::Map<const VectorXi>(node.data(), std::ssize(node));
  out.area = VectorXd::Zero(out.node.size());
  std::vector<char> of_held(node.size());
  for (Index t = 0; t < triangles; ++t) {
    const double third = vector_area(surface, t).norm() / 3;
    for (int c = 0; c < 3; ++c) {
      out.area[out.P(c, t)] += third;
      of_held[static_cast<std::size_t>(out.P(c, t))] = part[static_cast<std::size_t>(t)];
    }
  }
  for (int k = 0; k < out.node.size(); ++k) {
    if (of_held[static_cast<std::size_t>(k)] == 0) out.given.push_back(k);
  }
  for (const int v : out.held) {
    const int corner = first_held[static_cast<std::size_t>(v)];
    out.reaction.push_back(out.P(corner % 3, corner / 3));
  }
  return out;
}

}  // namespace pliant
