// SPDX-License-Identifier: MIT
#include "pliant/mesh/hole_filling.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include <Eigen/Geometry>

#include "pliant/mesh/surface_topology.hpp"

namespace pliant {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();
constexpr double largest_share = 0.3;  // of a hole in its component

double triangle_area(const Matrix3Xd& V, const Vector3i& t) {
  return 0.5 * (V.col(t[1]) - V.col(t[0])).cross(V.col(t[2]) - V.col(t[0])).norm();
}

// The triangulation of least area of the polygon; empty if every one needs an existing edge.
// has_edge(a, b): the surface has that edge.
template <class HasEdge>
std::vector<Vector3i> least_area(const Matrix3Xd& V, const std::vector<int>& loop,
                                 const HasEdge& has_edge) {
  const std::size_t n = loop.size();
  // cost(i, k): the part between the vertices i and k, with the chord ik; apex(i, k): the corner
  // over it.
  std::vector<double> cost(n * n, 0.0);
  std::vector<std::size_t> apex(n * n, 0);
  for (std::size_t span = 2; span < n; ++span) {
    for (std::size_t i = 0; i + span < n; ++i) {
      const std::size_t k = i + span;
      double& best = cost[i * n + k];
      best = impossible;
      // The chord 0, n-1 is an edge of the loop itself.
      if (span < n - 1 && has_edge(loop[i], loop[k])) continue;
      for (std::size_t j = i + 1; j < k; ++j) {
        const double parts = cost[i * n + j] + cost[j * n + k];
        if (!(parts < best)) continue;
        const double total = parts + triangle_area(V, {loop[i], loop[j], loop[k]});
        if (total < best) {
          best = total;
          apex[i * n + k] = j;
        }
      }
    }
  }
  std::vector<Vector3i> triangles;
  if (cost[n - 1] == impossible) return triangles;
  std::vector<std::array<std::size_t, 2>> chords{{0, n - 1}};
  while (!chords.empty()) {
    const auto [i, k] = chords.back();
    chords.pop_back();
    if (k - i < 2) continue;
    const std::size_t j = apex[i * n + k];
    triangles.emplace_back(loop[i], loop[j], loop[k]);
    chords.push_back({i, j});
    chords.push_back({j, k});
  }
  return triangles;
}

}  // namespace

HoleFilling fill_holes(const Matrix3Xd& V, const Matrix3Xi& F, int max_edges) {
  const SurfaceTopology topology = topology_of(F);
  std::vector<double> component_area(static_cast<std::size_t>(topology.components));
  for (Index f = 0; f < F.cols(); ++f) {
    if (topology.component[f] >= 0) {
      component_area[static_cast<std::size_t>(topology.component[f])] += triangle_area(V, F.col(f));
    }
  }
  std::vector<std::array<int, 2>> edges;  // of the surface and of what was filled
  struct Side {
    int to, triangle;
  };
  std::multimap<int, Side> next;  // boundary edges, against the direction of their triangle
  for (std::size_t e = 0; e < topology.edge_count(); ++e) {
    const EdgeUse& use = topology.uses[topology.edges[e]];
    edges.push_back({use.a, use.b});
    if (topology.edges[e + 1] - topology.edges[e] != 1) continue;
    if (use.forward) {
      next.emplace(use.b, Side{use.a, use.triangle});
    } else {
      next.emplace(use.a, Side{use.b, use.triangle});
    }
  }
  std::map<int, int> arrivals;
  for (const auto& [from, side] : next) ++arrivals[side.to];

  HoleFilling result;
  std::set<std::array<int, 2>> added;  // edges of the fillings
  while (!next.empty()) {
    // Follow the boundary and take it out on the way.
    std::vector<int> loop;
    const int start = next.begin()->first, beside = next.begin()->second.triangle;
    bool simple = true;
    int at = start;
    do {
      const auto step = next.find(at);
      if (step == next.end()) {
        simple = false;
        break;
      }
      simple = simple && next.count(at) == 1 && arrivals[at] == 1;
      loop.push_back(at);
      at = step->second.to;
      next.erase(step);
    } while (at != start);
    if (!simple || loop.size() < 3 || loop.size() > static_cast<std::size_t>(max_edges)) {
      ++result.left_open;
      continue;
    }
    const auto has_edge = [&](int a, int b) {
      const std::array<int, 2> key{std::min(a, b), std::max(a, b)};
      return std::binary_search(edges.begin(), edges.end(), key) || added.contains(key);
    };
    const std::vector<Vector3i> filling = least_area(V, loop, has_edge);
    double area = 0.0;
    for (const Vector3i& t : filling) area += triangle_area(V, t);
    const double whole = component_area[static_cast<std::size_t>(topology.component[beside])];
    if (filling.empty() || area > largest_share * whole) {
      ++result.left_open;
      continue;
    }
    for (const Vector3i& t : filling) {
      for (int k = 0; k < 3; ++k) {
        const auto [a, b] = std::minmax(t[k], t[(k + 1) % 3]);
        added.insert({a, b});
      }
      result.triangles.push_back(t);
      result.beside.push_back(beside);
    }
    ++result.filled;
  }
  return result;
}

}  // namespace pliant
