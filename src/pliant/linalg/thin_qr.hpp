// SPDX-License-Identifier: MIT
// Thin QR factorisation of a tall matrix, A = Q R with Q^T Q = I, by Householder reflections: the
// rows are cut into chunks, each is factored by itself, and then their stacked R (Demmel, Grigori,
// Hoemmen, Langou, SIAM J. Sci. Comput. 34(1), 2012). Chunks run in parallel; the result has the
// same bits for any number of threads. Q is orthonormal to rounding whatever the rank of A.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

struct ThinQr {
  MatrixXd Q;  // n by p, p = min(n, N)
  MatrixXd R;  // p by N, upper triangular
};

// A: n by N; give it away (std::move) to save the copy.
ThinQr thin_qr(MatrixXd A);

}  // namespace pliant
