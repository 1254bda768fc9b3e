// SPDX-License-Identifier: MIT
// A symmetric matrix of nodes with three numbers each, kept by edges: one 3 by 3 block for each node and
// one for each pair of nodes that are joined, [Klimenko03] 2.2. Half the memory of a sparse matrix of
// single entries, and one index for nine of them.
#pragma once

#include <vector>

#include "pliant/linalg/sparse.hpp"

namespace pliant {

class EdgeMatrix {
 public:
  // Reads the lower triangle; its size is a multiple of three. Throws Error otherwise.
  explicit EdgeMatrix(const SparseMatrix& A);

  Index rows() const { return 3 * std::ssize(nodes_); }
  std::size_t edges() const { return edges_.size(); }
  void multiply(const VectorXd& x, VectorXd& y) const;  // y = A x
  LinearOperator product() const;                       // the same; it refers to this
  // Inverses of the blocks of the nodes. Throws Error if one has none.
  LinearOperator block_jacobi() const;

 private:
  struct Edge {
    int a, b;  // a > b
    Matrix3d block;
  };
  std::vector<Matrix3d> nodes_;
  std::vector<Edge> edges_;
};

}  // namespace pliant
