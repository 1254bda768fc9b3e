// SPDX-License-Identifier: MIT
// The reference for our eigenmodes: single-vector Lanczos with implicit restarts, by Spectra, with
// the same factorisation. Compiled only where Spectra's headers are.
#pragma once

#include "pliant/linalg/sparse.hpp"

namespace pliant::bench {

// The `count` lowest λ of K x = λ M x, ascending, K positive definite; empty without Spectra.
VectorXd spectra_modes(const SparseMatrix& K, const SparseMatrix& M, int count);

}  // namespace pliant::bench
