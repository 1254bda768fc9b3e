// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/coincident.hpp"
#include "pliant/mesh/io/clean.hpp"
#include "pliant/mesh/isoparametric.hpp"

namespace pliant::io {
namespace {

// |det J| over the product of its columns' lengths (in the 1-norm): how flat a corner is. Below
// this it is rounding.
constexpr double flat = 1e-14;

// The neighbours of each corner along the element's edges, ordered such that det J > 0.
constexpr int hex_corners[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                   {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};

// The same element seen in a mirror.
constexpr int turned_tet4[4] = {0, 2, 1, 3};
constexpr int turned_tet10[10] = {0, 2, 1, 3, 6, 5, 4, 7, 9, 8};
constexpr int turned_hex8[8] = {0, 3, 2, 1, 4, 7, 6, 5};

enum class Verdict : unsigned char { good, inverted, repeated_node, no_volume, folded };

// Sign of a determinant, 0 where it is flat.
int sign_of(const Matrix3d& J) {
  const double det = J.determinant();
  const double scale = J.cwiseAbs().colwise().sum().prod();
  return std::abs(det) <= flat * scale ? 0 : det > 0 ? 1 : -1;
}

// Sign of the Jacobian determinant of the element's straight-edged version at corner p.
int corner_sign(const VolumeMesh& mesh, int e, int p, const int (&neighbours)[3]) {
  Matrix3d J;
  for (int k = 0; k < 3; ++k) {
    J.col(k) = mesh.V.col(mesh.E(neighbours[k], e)) - mesh.V.col(mesh.E(p, e));
  }
  return sign_of(J);
}

// The same of a quadratic tetrahedron at its node p.
int node_sign(const NodePositions& x, int p) {
  static const std::array<NodeGradients, 10> dN = [] {
    constexpr double h = 0.5;
    constexpr double nodes[10][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {h, 0, 0},
                                     {h, h, 0}, {0, h, 0}, {0, 0, h}, {h, 0, h}, {0, h, h}};
    std::array<NodeGradients, 10> gradients;
    for (std::size_t i = 0; i < 10; ++i) {
      gradients[i] = shape_gradients(ElementType::tet10, Vector3d(nodes[i]));
    }
    return gradients;
  }();
  return sign_of(x * dN[static_cast<std::size_t>(p)]);
}

Verdict judge(const VolumeMesh& mesh, int e) {
  const int nodes = nodes_per_element(mesh.type);
  for (int a = 0; a < nodes; ++a) {
    for (int b = 0; b < a; ++b) {
      if (mesh.E(a, e) == mesh.E(b, e)) return Verdict::repeated_node;
    }
  }
  bool positive = false, negative = false;
  const auto count = [&](int sign) {
    positive |= sign > 0;
    negative |= sign < 0;
  };
  if (mesh.type == ElementType::hex8) {
    for (int p = 0; p < 8; ++p) count(corner_sign(mesh, e, p, hex_corners[p]));
  } else {
    count(corner_sign(mesh, e, 0, {1, 2, 3}));
  }
  if (mesh.type == ElementType::tet10) {
    // Relative to the first corner, so that small elements far from the origin lose nothing.
    NodePositions x = element_nodes(mesh, e);
    x.colwise() -= Vector3d(x.col(0));
    for (int p = 0; p < 10; ++p) count(node_sign(x, p));
  }
  if (positive && negative) return Verdict::folded;
  return positive ? Verdict::good : negative ? Verdict::inverted : Verdict::no_volume;
}

void turn(VolumeMesh& mesh, int e) {
  const int* order = mesh.type == ElementType::tet4    ? turned_tet4
                     : mesh.type == ElementType::tet10 ? turned_tet10
                                                       : turned_hex8;
  const VectorXi old = mesh.E.col(e);
  for (int a = 0; a < nodes_per_element(mesh.type); ++a) mesh.E(a, e) = old[order[a]];
}

void check_sets(const std::vector<NamedSet>& sets, int count, const char* what,
                const std::string& file) {
  for (const NamedSet& set : sets) {
    for (const int i : set.items) {
      if (i < 0 || i >= count) {
        throw Error({file, 0, fmt::format("{} set '{}'", what, set.name)},
                    fmt::format("no such {}", what), std::to_string(i),
                    fmt::format("0 to {}", count - 1));
      }
    }
  }
}

void make_ascending(std::vector<int>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

// Gives every vertex its new index (-1: dropped) in all parts of the mesh that name vertices.
void renumber(VolumeMesh& mesh, const VectorXi& map, int new_count) {
  Matrix3Xd V(3, new_count);
  // Backwards, so that of vertices at one place the first is kept, down to the sign of its zeros.
  for (int i = mesh.vertex_count(); i-- > 0;) {
    if (map[i] >= 0) V.col(map[i]) = mesh.V.col(i);
  }
  mesh.V = std::move(V);
  for (int& node : mesh.E.reshaped()) node = map[node];
  for (NamedSet& set : mesh.node_sets) {
    for (int& node : set.items) node = map[node];
    std::erase(set.items, -1);
  }
  for (HangingNode& h : mesh.hanging) {
    h.node = map[h.node];
    for (int k = 0; k < h.count; ++k) {
      int& parent = h.parents[static_cast<std::size_t>(k)];
      parent = map[parent];
    }
  }
  std::erase_if(mesh.hanging, [](const HangingNode& h) { return h.node < 0; });
}

void check_hanging(VolumeMesh& mesh, const std::string& file) {
  std::sort(mesh.hanging.begin(), mesh.hanging.end(),
            [](const HangingNode& a, const HangingNode& b) { return a.node < b.node; });
  std::vector<bool> hangs(static_cast<std::size_t>(mesh.vertex_count()));
  for (const HangingNode& h : mesh.hanging) {
    if (hangs[static_cast<std::size_t>(h.node)]) {
      throw Error({file, 0, fmt::format("hanging node {}", h.node + 1)}, "it hangs twice");
    }
    hangs[static_cast<std::size_t>(h.node)] = true;
  }
  for (const HangingNode& h : mesh.hanging) {
    for (int k = 0; k < h.count; ++k) {
      if (hangs[static_cast<std::size_t>(h.parents[static_cast<std::size_t>(k)])]) {
        throw Error({file, 0, fmt::format("hanging node {}", h.node + 1)},
                    "one of its parents hangs itself");
      }
    }
  }
}

std::string counted(int n, const char* singular, const char* plural) {
  return fmt::format("{} {}", n, n == 1 ? singular : plural);
}

// Merges vertices at the same place and drops those that nothing needs.
void clean_vertices(VolumeMesh& mesh, ReadReport& report) {
  const int n = mesh.vertex_count();
  const VectorXi first = first_at_same_place(mesh.V);
  std::vector<bool> used(static_cast<std::size_t>(n));
  const auto use = [&](int node) { used[static_cast<std::size_t>(first[node])] = true; };
  for (const int node : mesh.E.reshaped()) use(node);
  for (const HangingNode& h : mesh.hanging) {
    if (!used[static_cast<std::size_t>(first[h.node])]) continue;
    for (int k = 0; k < h.count; ++k) use(h.parents[static_cast<std::size_t>(k)]);
  }

  VectorXi map(n);
  int next = 0, merged = 0, dropped = 0;
  for (int i = 0; i < n; ++i) {
    if (!used[static_cast<std::size_t>(first[i])]) {
      map[i] = -1;
      ++dropped;
    } else if (first[i] < i) {
      map[i] = map[first[i]];
      ++merged;
    } else {
      map[i] = next++;
    }
  }
  if (next == n) return;
  renumber(mesh, map, next);
  if (merged > 0) {
    report.repairs.push_back("merged " + counted(merged, "vertex", "vertices") +
                             " with others at exactly the same place");
  }
  if (dropped > 0) {
    report.repairs.push_back("dropped " + counted(dropped, "node", "nodes") +
                             " that no element uses");
  }
  report.vertex_map = std::move(map);
}

}  // namespace

void clean(VolumeMesh& mesh, const std::string& file, std::span<const long> element_lines,
           ReadReport& report) {
  const int n = mesh.vertex_count(), elements = mesh.element_count();
  PLIANT_ASSERT(mesh.E.rows() == nodes_per_element(mesh.type) || elements == 0,
                "one row of E a node of the element");
  PLIANT_ASSERT(element_lines.empty() || std::ssize(element_lines) == elements,
                "one line an element");
  PLIANT_ASSERT(mesh.region.size() == 0 || mesh.region.size() == elements, "one region an element");

  const auto place_of = [&](int e) {
    const long line = element_lines.empty() ? 0 : element_lines[static_cast<std::size_t>(e)];
    return Place{file, line, fmt::format("element {}", e + 1)};
  };
  if (elements == 0) throw Error({file, 0, ""}, "there is no solid element in it");
  check_coordinates(mesh.V, "node", file);
  const auto exists = [&](int node) { return node >= 0 && node < n; };
  for (int e = 0; e < elements; ++e) {
    for (const int node : mesh.E.col(e)) {
      if (!exists(node)) {
        throw Error(place_of(e), "no such node", std::to_string(node + 1),
                    fmt::format("1 to {}", n));
      }
    }
  }
  check_sets(mesh.node_sets, n, "node", file);
  check_sets(mesh.element_sets, elements, "element", file);
  for (const HangingNode& h : mesh.hanging) {
    const bool known = exists(h.node) && (h.count == 2 || h.count == 4) &&
                       std::all_of(h.parents.begin(), h.parents.begin() + h.count, exists);
    if (!known) throw Error({file, 0, fmt::format("hanging node {}", h.node + 1)}, "no such node");
  }

  clean_vertices(mesh, report);
  check_hanging(mesh, file);
  for (NamedSet& set : mesh.node_sets) make_ascending(set.items);
  for (NamedSet& set : mesh.element_sets) make_ascending(set.items);

  std::vector<Verdict> verdicts(static_cast<std::size_t>(elements));
  parallel_for(verdicts.size(), 4096,
               [&](std::size_t e) { verdicts[e] = judge(mesh, static_cast<int>(e)); });
  int inverted = 0;
  for (int e = 0; e < elements; ++e) {
    switch (verdicts[static_cast<std::size_t>(e)]) {
      case Verdict::good:
        break;
      case Verdict::inverted:
        turn(mesh, e);
        ++inverted;
        break;
      case Verdict::repeated_node:
        throw Error(place_of(e), "two of its nodes are the same or at the same place");
      case Verdict::no_volume:
        throw Error(place_of(e), "it has no volume");
      case Verdict::folded:
        throw Error(place_of(e), "it is folded: its Jacobian determinant changes sign");
    }
  }
  if (inverted > 0) {
    report.repairs.push_back("turned " +
                             counted(inverted, "inverted element", "inverted elements"));
  }
}

}  // namespace pliant::io
