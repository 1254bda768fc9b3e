// SPDX-License-Identifier: MIT
// The sparse types that every solver shares.
#pragma once

#include <cstdint>
#include <functional>

#include <Eigen/SparseCore>

#include "pliant/base/types.hpp"

namespace pliant {

// Column-major, 32-bit indices, compressed.
using SparseMatrix = Eigen::SparseMatrix<double>;
using Triplet = Eigen::Triplet<double>;

// y = A x without a matrix; y has the right size on entry and is overwritten.
using LinearOperator = std::function<void(const VectorXd& x, VectorXd& y)>;

// y = A x for a symmetric A of which both triangles are stored, columns in parallel. Keeps a
// reference to A.
LinearOperator symmetric_product(const SparseMatrix& A);

// A X, columns in parallel.
MatrixXd multiply(const SparseMatrix& A, const Eigen::Ref<const MatrixXd>& X);

// Throws Error, which names the place, if an entry is infinite or not a number.
void require_finite(const SparseMatrix& A);

// A hash of the positions of the stored entries; the values do not count.
std::uint64_t pattern_hash(const SparseMatrix& A);

}  // namespace pliant
