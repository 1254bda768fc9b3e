// SPDX-License-Identifier: MIT
// Least squares without negative unknowns,
//
//   min |A x - b|,  x >= 0
//
// from the normal equations N = A^T A (n by n) and y = A^T b: the method of active sets of Lawson,
// Hanson 1974, in the form of Bro, de Jong 1997. The solution fulfils x >= 0, g = y - N x <= 0 and
// x_i g_i = 0, to rounding. Columns of A that depend on one another are allowed: one of the
// solutions is found.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

// start: where to begin, n numbers >= 0, or empty; near to the solution saves time. Throws Error
// for sizes that do not agree or numbers that are not finite.
VectorXd nonnegative_least_squares(const MatrixXd& N, const VectorXd& y,
                                   const VectorXd& start = {});

}  // namespace pliant
