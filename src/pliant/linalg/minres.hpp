// SPDX-License-Identifier: MIT
// MINRES for A x = b, A symmetric, singular or indefinite: each iterate minimises |b - A x| over
// the Krylov space. Method: Paige, Saunders, SIAM J. Numer. Anal. 12(4), 1975, in the
// preconditioned form (M symmetric positive definite): Lanczos vectors v, Givens rotations (c, s).
//
// A free body's stiffness has the six rigid motions as null space N (n by k). A solution exists
// only if Nᵀ b = 0: net force and torque vanish. With N given, b is checked, all iterates stay in
// the complement of N, and x is the solution with Nᵀ x = 0.
#pragma once

#include "pliant/linalg/pcg.hpp"
#include "pliant/linalg/sparse.hpp"

namespace pliant {

struct MinresOptions {
  double tolerance = 1e-8;   // of |b - A x| / |b|
  int max_iterations = 0;    // 0: 10 n
  MatrixXd null_space = {};  // n by k, independent columns; empty: none
  // |N̂ᵀ b| / |b| that still counts as balanced (N̂ orthonormal). What is left of it is projected
  // away. Infinity: any load, the solution is then that of the balanced part of b.
  double balance = 1e-8;
};

// Starts from x = 0. Throws Error if b is not finite or, with a null space, not balanced.
IterativeResult minres(const LinearOperator& A, const LinearOperator& preconditioner,
                       const VectorXd& b, VectorXd& x, const MinresOptions& options = {});
// Preconditioned by the diagonal, which must be positive; both triangles of A are stored.
IterativeResult minres(const SparseMatrix& A, const VectorXd& b, VectorXd& x,
                       const MinresOptions& options = {});

}  // namespace pliant
