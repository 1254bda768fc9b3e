// SPDX-License-Identifier: MIT
#include "pliant/linalg/vertex_cover.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pliant {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

std::vector<int> inverse(const BipartiteGraph& graph, const std::vector<int>& match) {
  std::vector<int> partner(at(graph.right_count), -1);
  for (std::size_t l = 0; l < match.size(); ++l) {
    if (match[l] >= 0) partner[at(match[l])] = static_cast<int>(l);
  }
  return partner;
}

}  // namespace

int VertexCover::size() const {
  return std::accumulate(left.begin(), left.end(), 0) +
         std::accumulate(right.begin(), right.end(), 0);
}

std::vector<int> maximum_matching(const BipartiteGraph& graph) {
  constexpr int far = std::numeric_limits<int>::max();
  const int n = static_cast<int>(graph.edges.size());
  std::vector<int> match(at(n), -1), partner(at(graph.right_count), -1);
  std::vector<int> level(at(n)), queue;
  std::vector<std::size_t> next(at(n));
  std::vector<int> path;
  while (true) {
    // Levels of the left vertices by shortest alternating paths from the unmatched ones.
    queue.clear();
    for (int l = 0; l < n; ++l) {
      level[at(l)] = match[at(l)] < 0 ? 0 : far;
      if (match[at(l)] < 0) queue.push_back(l);
    }
    bool found = false;
    for (std::size_t q = 0; q < queue.size(); ++q) {
      const int l = queue[q];
      for (const int r : graph.edges[at(l)]) {
        const int m = partner[at(r)];
        if (m < 0) {
          found = true;
        } else if (level[at(m)] == far) {
          level[at(m)] = level[at(l)] + 1;
          queue.push_back(m);
        }
      }
    }
    if (!found) return match;
    // Disjoint augmenting paths along the levels, depth first, without recursion.
    std::fill(next.begin(), next.end(), 0);
    for (int root = 0; root < n; ++root) {
      if (match[at(root)] >= 0) continue;
      path.assign(1, root);
      while (!path.empty()) {
        const int l = path.back();
        if (next[at(l)] == graph.edges[at(l)].size()) {
          level[at(l)] = far;
          path.pop_back();
          if (!path.empty()) ++next[at(path.back())];
          continue;
        }
        const int r = graph.edges[at(l)][next[at(l)]];
        const int m = partner[at(r)];
        if (m < 0) {
          for (const int v : path) {
            match[at(v)] = graph.edges[at(v)][next[at(v)]];
            partner[at(match[at(v)])] = v;
          }
          break;
        }
        if (level[at(m)] == level[at(l)] + 1) {
          path.push_back(m);
        } else {
          ++next[at(l)];
        }
      }
    }
  }
}

VertexCover minimum_vertex_cover(const BipartiteGraph& graph, const std::vector<int>& match,
                                 CoverSide side) {
  const int n = static_cast<int>(graph.edges.size());
  const std::vector<int> partner = inverse(graph, match);
  std::vector<char> left(at(n), 0), right(at(graph.right_count), 0);
  std::vector<int> stack;
  if (side == CoverSide::left) {
    // Z: reached from unmatched left vertices by alternating paths; the cover is (L \ Z) ∪ (R ∩ Z).
    for (int l = 0; l < n; ++l) {
      if (match[at(l)] < 0) left[at(l)] = 1, stack.push_back(l);
    }
    while (!stack.empty()) {
      const int l = stack.back();
      stack.pop_back();
      for (const int r : graph.edges[at(l)]) {
        if (right[at(r)]) continue;
        right[at(r)] = 1;
        const int m = partner[at(r)];
        if (!left[at(m)]) left[at(m)] = 1, stack.push_back(m);
      }
    }
    for (char& l : left) l = !l;
  } else {
    // The same from the other side: Z from unmatched right vertices, (R \ Z) ∪ (L ∩ Z).
    std::vector<std::vector<int>> reverse(at(graph.right_count));
    for (int l = 0; l < n; ++l) {
      for (const int r : graph.edges[at(l)]) reverse[at(r)].push_back(l);
    }
    for (int r = 0; r < graph.right_count; ++r) {
      if (partner[at(r)] < 0) right[at(r)] = 1, stack.push_back(r);
    }
    while (!stack.empty()) {
      const int r = stack.back();
      stack.pop_back();
      for (const int l : reverse[at(r)]) {
        if (left[at(l)]) continue;
        left[at(l)] = 1;
        const int m = match[at(l)];
        if (!right[at(m)]) right[at(m)] = 1, stack.push_back(m);
      }
    }
    for (char& r : right) r = !r;
  }
  return {std::move(left), std::move(right)};
}

}  // namespace pliant
