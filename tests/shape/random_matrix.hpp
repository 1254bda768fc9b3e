// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/base/random.hpp"
#include "pliant/base/types.hpp"

namespace pliant::test {

// Entries between -1 and 1.
inline MatrixXd random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  MatrixXd A(rows, cols);
  for (double& x : A.reshaped()) x = random.uniform(-1, 1);
  return A;
}

}  // namespace pliant::test
