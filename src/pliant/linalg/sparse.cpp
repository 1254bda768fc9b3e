// SPDX-License-Identifier: MIT
#include "pliant/linalg/sparse.hpp"

#include <cmath>
#include <string>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {

LinearOperator symmetric_product(const SparseMatrix& A) {
  PLIANT_ASSERT(A.rows() == A.cols() && A.isCompressed(), "a square, compressed matrix");
  return [&A](const VectorXd& x, VectorXd& y) {
    // Column j is row j: each entry of y is one dot product, whoever computes it.
    parallel_for(static_cast<std::size_t>(A.cols()), 4096, [&](std::size_t j) {
      const Index column = static_cast<Index>(j);
      y[column] = A.col(column).dot(x);
    });
  };
}

MatrixXd multiply(const SparseMatrix& A, const Eigen::Ref<const MatrixXd>& X) {
  MatrixXd Y(A.rows(), X.cols());
  parallel_for(static_cast<std::size_t>(X.cols()), 1, [&](std::size_t j) {
    const Index column = static_cast<Index>(j);
    Y.col(column) = A * X.col(column);
  });
  return Y;
}

void require_finite(const SparseMatrix& A) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(A, j); it; ++it) {
      if (!std::isfinite(it.value())) {
        throw Error({"", 0, "row " + std::to_string(it.row()) + ", column " + std::to_string(j)},
                    "matrix entry", std::to_string(it.value()), "a finite number");
      }
    }
  }
}

std::uint64_t pattern_hash(const SparseMatrix& A) {
  PLIANT_ASSERT(A.isCompressed(), "a compressed matrix");
  Hasher hasher;
  hasher.add_bytes(A.outerIndexPtr(), static_cast<std::size_t>(A.cols() + 1) * sizeof(int));
  hasher.add_bytes(A.innerIndexPtr(), static_cast<std::size_t>(A.nonZeros()) * sizeof(int));
  return hasher.digest();
}

}  // namespace pliant
