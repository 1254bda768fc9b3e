// SPDX-License-Identifier: MIT
// The graph of a symmetric matrix, and the size of its Cholesky factor by pattern alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/linalg/sparse.hpp"

namespace pliant {

// Undirected, each edge at both ends, no loops. The neighbours of a are ascending.
struct Graph {
  std::vector<int> start = {0};  // n + 1
  std::vector<int> neighbour;

  int size() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> operator[](int a) const {
    const auto begin = static_cast<std::size_t>(start[static_cast<std::size_t>(a)]);
    const auto end = static_cast<std::size_t>(start[static_cast<std::size_t>(a) + 1]);
    return {neighbour.data() + begin, end - begin};
  }
};

// E is k by #E; entries of -1 stand for nodes that are no unknowns (fixed ones) and are passed
// over. Throws Error for other entries outside 0..n-1.
void require_nodes(int n, const MatrixXi& E);

// Nodes are neighbours if they share an element.
Graph node_graph(int n, const MatrixXi& E);

// Of the lower triangle of A.
Graph matrix_graph(const SparseMatrix& A);

struct FactorCount {
  std::int64_t nnz_L = 0;  // diagonal included
  double flops = 0.0;      // Σ_j (entries of column j of L)²
};

// Of the factor of a matrix whose nodes have d unknowns each (dense d by d blocks), in the order
// p (n entries, p[k] the node that comes k-th).
FactorCount count_factor(const Graph& graph, const VectorXi& p, int d = 1);

}  // namespace pliant
