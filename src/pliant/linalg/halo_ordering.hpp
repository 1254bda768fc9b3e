// SPDX-License-Identifier: MIT
// Greedy elimination order of a small part of a graph, made for the leaves of nested dissection.
// The part's neighbours outside, its halo, come later in the whole order; they count in the
// degrees, and pairs of them cost nothing, since the separators around a leaf fill up anyway.
#pragma once

#include <span>
#include <vector>

#include "pliant/linalg/graph.hpp"

namespace pliant {

// The nodes in the order of elimination: at each step the one that causes the least new edges
// (minimum deficiency), then the one of least degree, then the first. O(m³) at worst, m nodes.
// `scratch` has graph.size() entries of -1 and is left so.
std::vector<int> order_with_halo(const Graph& graph, std::span<const int> nodes,
                                 std::vector<int>& scratch);

}  // namespace pliant
