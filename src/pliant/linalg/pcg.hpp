// SPDX-License-Identifier: MIT
// Preconditioned conjugate gradients for A x = b, A symmetric positive definite, given as a matrix
// or as a function y = A x.
//
//   VectorXd x = VectorXd::Zero(n);                      // the first guess
//   pcg(A, b, x);                                        // incomplete Cholesky
//   pcg(apply_K, jacobi(diagonal), b, x, {.tolerance = 1e-6});
//
// Method: Hestenes, Stiefel 1952; r the residual, z = M⁻¹ r, p the direction.
#pragma once

#include <stop_token>

#include "pliant/linalg/sparse.hpp"

namespace pliant {

struct IterativeOptions {
  double tolerance = 1e-8;    // of the relative residual |b - A x| / |b|
  int max_iterations = 0;     // 0: 10 n
  std::stop_token stop = {};  // ends it with the iterate that it has
};

struct IterativeResult {
  int iterations = 0;
  double residual = 0.0;  // |b - A x| / |b|, computed anew from x at the end
  bool converged = false;
  // A direction with pᵀ A p <= 0 was met: A is not positive definite. x is the last iterate.
  bool indefinite = false;
};

// z = M⁻¹ r. Both throw Error for a diagonal that is not positive.
LinearOperator jacobi(const VectorXd& diagonal);
// A ≈ L Lᵀ with the pattern of A (reads the lower triangle), shifted until it exists.
LinearOperator incomplete_cholesky(const SparseMatrix& A);

// x is the first guess on entry. Throws Error if b is not finite.
IterativeResult pcg(const LinearOperator& A, const LinearOperator& preconditioner,
                    const VectorXd& b, VectorXd& x, const IterativeOptions& options = {});
// Both triangles of A are stored.
IterativeResult pcg(const SparseMatrix& A, const VectorXd& b, VectorXd& x,
                    const IterativeOptions& options = {});

}  // namespace pliant
