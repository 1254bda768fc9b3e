// SPDX-License-Identifier: MIT
// Minimum vertex cover of a bipartite graph: the fewest vertices that touch every edge. By König's
// theorem it has as many vertices as a maximum matching has edges, and is read off from one.
// Matching: Hopcroft, Karp, SIAM J. Comput. 2(4), 1973, O(|E| √|V|). Used by [Zhuang00] 4.1.1.2.
#pragma once

#include <vector>

namespace pliant {

struct BipartiteGraph {
  int right_count = 0;
  std::vector<std::vector<int>> edges;  // for each left vertex, its right vertices
};

// match[l] is the right vertex matched with l, or -1.
std::vector<int> maximum_matching(const BipartiteGraph& graph);

struct VertexCover {
  std::vector<char> left, right;  // 1: in the cover
  int size() const;
};

// Where several minimum covers exist: the one with the most vertices on the left or on the right.
enum class CoverSide { left, right };
VertexCover minimum_vertex_cover(const BipartiteGraph& graph, const std::vector<int>& match,
                                 CoverSide side);

}  // namespace pliant
