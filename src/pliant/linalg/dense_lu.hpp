// SPDX-License-Identifier: MIT
// LU factors of a dense matrix with row exchanges, P A = L U, for matrices of thousands of rows. The
// matrix is cut into blocks of columns, and the threads share the blocks behind the one that is
// eliminated; LAPACK with threads would cut its sums at places that depend on their number, and this
// gives the same bits for any.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

class DenseLu {
 public:
  // Square; give it away to save the copy. Throws Error if it is singular to rounding.
  explicit DenseLu(MatrixXd A);

  // A X = B; the columns of B are shared by the threads.
  void solve_in_place(MatrixXd& B) const;

 private:
  MatrixXd A_;             // L below the diagonal, U on it and above
  std::vector<int> swap_;  // row k was exchanged with row swap_[k]
};

}  // namespace pliant
