// SPDX-License-Identifier: MIT
#include "pliant/linalg/graph.hpp"

#include <algorithm>
#include <string>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"

namespace pliant {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

void require_nodes(int n, const MatrixXi& E) {
  for (Index e = 0; e < E.cols(); ++e) {
    for (Index i = 0; i < E.rows(); ++i) {
      if (E(i, e) < -1 || E(i, e) >= n) {
        throw Error({"", 0, "element " + std::to_string(e)}, "no such node",
                    std::to_string(E(i, e)), "-1 (fixed) to " + std::to_string(n - 1));
      }
    }
  }
}

Graph node_graph(int n, const MatrixXi& E) {
  require_nodes(n, E);
  // The elements of each node.
  std::vector<int> first(at(n) + 1, 0);
  for (const int a : E.reshaped()) {
    if (a >= 0) ++first[at(a) + 1];
  }
  for (int a = 0; a < n; ++a) first[at(a) + 1] += first[at(a)];
  std::vector<int> elements(at(first.back())), next = first;
  for (int e = 0; e < E.cols(); ++e) {
    for (const int a : E.col(e)) {
      if (a >= 0) elements[at(next[at(a)]++)] = e;
    }
  }
  Graph graph;
  graph.start.reserve(at(n) + 1);
  std::vector<int> mark(at(n), -1);
  for (int a = 0; a < n; ++a) {
    const std::size_t begin = graph.neighbour.size();
    mark[at(a)] = a;
    for (int k = first[at(a)]; k < first[at(a) + 1]; ++k) {
      for (const int b : E.col(elements[at(k)])) {
        if (b < 0 || mark[at(b)] == a) continue;
        mark[at(b)] = a;
        graph.neighbour.push_back(b);
      }
    }
    std::sort(graph.neighbour.begin() + static_cast<std::ptrdiff_t>(begin), graph.neighbour.end());
    graph.start.push_back(static_cast<int>(graph.neighbour.size()));
  }
  return graph;
}

Graph matrix_graph(const SparseMatrix& A) {
  PLIANT_ASSERT(A.rows() == A.cols(), "a square matrix");
  Graph graph;
  graph.start.assign(at(static_cast<int>(A.cols())) + 1, 0);
  const auto for_each_edge = [&A](const auto& visit) {
    for (int j = 0; j < A.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator it(A, j); it; ++it) {
        if (it.row() > j) visit(static_cast<int>(it.row()), j);
      }
    }
  };
  for_each_edge([&](int i, int j) { ++graph.start[at(i) + 1], ++graph.start[at(j) + 1]; });
  for (std::size_t a = 1; a < graph.start.size(); ++a) graph.start[a] += graph.start[a - 1];
  graph.neighbour.resize(at(graph.start.back()));
  std::vector<int> next = graph.start;
  for_each_edge([&](int i, int j) {
    graph.neighbour[at(next[at(i)]++)] = j;
    graph.neighbour[at(next[at(j)]++)] = i;
  });
  for (int a = 0; a < graph.size(); ++a) {
    std::sort(graph.neighbour.begin() + graph.start[at(a)],
              graph.neighbour.begin() + graph.start[at(a) + 1]);
  }
  return graph;
}

FactorCount count_factor(const Graph& graph, const VectorXi& p, int d) {
  const int n = graph.size();
  PLIANT_ASSERT(p.size() == n, "a permutation of the nodes");
  VectorXi position(n), parent = VectorXi::Constant(n, -1), mark = parent,
                        below = VectorXi::Zero(n);
  for (int k = 0; k < n; ++k) position[p[k]] = k;
  // Row i of L holds the paths in the elimination tree from the entries of row i of A up to i.
  for (int i = 0; i < n; ++i) {
    mark[i] = i;
    for (const int b : graph[p[i]]) {
      for (int j = position[b]; j < i && mark[j] != i; j = parent[j]) {
        if (parent[j] < 0) parent[j] = i;
        mark[j] = i;
        ++below[j];
      }
    }
  }
  FactorCount count;
  for (int j = 0; j < n; ++j) {
    for (int c = 1; c <= d; ++c) {
      const std::int64_t entries = std::int64_t{d} * below[j] + c;
      count.nnz_L += entries;
      count.flops += static_cast<double>(entries) * static_cast<double>(entries);
    }
  }
  return count;
}

}  // namespace pliant
