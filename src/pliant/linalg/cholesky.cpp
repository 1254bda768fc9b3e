// SPDX-License-Identifier: MIT
// What both implementations of Cholesky share.
#include "pliant/linalg/cholesky.hpp"

#include <string>
#include <vector>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"

namespace pliant {

Cholesky::Cholesky(const SparseMatrix& A, const CholeskyOptions& options) : Cholesky() {
  analyse(A, options);
  factor(A);
}

void Cholesky::factor(const SparseMatrix& A) {
  const int row = try_factor(A);
  if (row < 0) return;
  throw Error({"", 0, "row " + std::to_string(row)},
              "the matrix is not positive definite here (node " + std::to_string(row / 3) +
                  " if a node has three unknowns): the body or a part of it is not fixed and can "
                  "still move as a whole, or a material or an element has no positive stiffness");
}

VectorXd Cholesky::solve(const Eigen::Ref<const VectorXd>& b) const {
  VectorXd x = b;
  solve_in_place(x);
  return x;
}

MatrixXd Cholesky::solve_all(const Eigen::Ref<const MatrixXd>& B) const {
  MatrixXd X = B;
  solve_in_place(X);
  return X;
}

void require_permutation(const VectorXi& p, Index n) {
  if (p.size() != n) {
    throw Error({}, "length of a permutation", std::to_string(p.size()), std::to_string(n));
  }
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  for (Index k = 0; k < n; ++k) {
    const bool valid = p[k] >= 0 && p[k] < n && !seen[static_cast<std::size_t>(p[k])];
    if (!valid) {
      throw Error({"", 0, "permutation, entry " + std::to_string(k)}, "not a permutation",
                  std::to_string(p[k]), "each of 0 to " + std::to_string(n - 1) + " once");
    }
    seen[static_cast<std::size_t>(p[k])] = true;
  }
}

VectorXi expand_permutation(const VectorXi& p, int d) {
  PLIANT_ASSERT(d > 0, "a node has at least one unknown");
  VectorXi q(p.size() * d);
  for (Index k = 0; k < p.size(); ++k) {
    for (int c = 0; c < d; ++c) q[k * d + c] = p[k] * d + c;
  }
  return q;
}

}  // namespace pliant
