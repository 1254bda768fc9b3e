// SPDX-License-Identifier: MIT
// The lowest modes of K φ = λ M φ, K symmetric positive semidefinite, M symmetric positive
// definite, n by n. λ = ω² [1/s²]; ω = 2π f.
//
// Shift and invert: with σ at or below the spectrum, (K - σM)⁻¹ M φ = φ / (λ - σ), so that the
// wanted modes are the ones that a Krylov method finds first. The method is block Lanczos with full
// reorthogonalisation and thick restarts: Golub, Underwood 1977; Wu, Simon 2000. A block finds
// modes of equal frequency, which symmetric bodies have, and its solves share the reading of L.
//
// A free body's K is singular: its rigid motions have λ = 0 (six for a connected body). So σ is
// slightly negative, and the modes with λ = 0 are set apart.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/linalg/sparse.hpp"

namespace pliant {

struct EigenmodesOptions {
  int count = 20;  // of modes with λ > 0
  // How many modes have λ = 0. -1: find out, by the gap above them. 0: σ is 0.
  int rigid = -1;
  double tolerance = 1e-10;  // of |(K - σM)⁻¹M φ - θ φ|_M / θ, θ = 1 / (λ - σ)
  CholeskyOptions cholesky = {};
};

struct Eigenmodes {
  VectorXd lambda;     // count, ascending
  MatrixXd modes;      // n by count, φᵀ M φ = I; the largest entry of each is positive
  MatrixXd rigid;      // n by r, an M-orthonormal basis of the modes with λ = 0
  VectorXd residuals;  // count, |K φ - λ M φ| / (λ |M φ|)
  double shift = 0.0;  // σ
  int solves = 0;      // right-hand sides solved
};

// Both triangles of K and M are stored. Throws Error if a matrix is not what it should be (λ < 0:
// an unstable or prestressed body), if `count` modes do not exist, or on an entry that is not
// finite; Cancelled if the progress was cancelled.
Eigenmodes eigenmodes(const SparseMatrix& K, const SparseMatrix& M,
                      const EigenmodesOptions& options = {}, Progress& progress = Progress::none());

}  // namespace pliant
