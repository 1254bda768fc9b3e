// SPDX-License-Identifier: MIT
// What the kernels read and write of a batch of `lanes` elements, lane-interleaved.
#pragma once

#include "pliant/fem/pack.hpp"

namespace pliant::fem {

struct BatchInput {
  const double* geometry;   // as the geometry needs it
  const double* constants;  // of the law
};

template <class LawT>
struct Constants {
  explicit Constants(const BatchInput& input) {
    for (int k = 0; k < LawT::constants; ++k) p[k] = load(input.constants + lanes * k);
  }
  Pack p[LawT::constants];
};

// Blocks (a, b) with a <= b of the stiffness of an element with N nodes: block_index(a, b) first,
// then 3 i + k.
template <int N>
constexpr int block_index(int a, int b) {
  return a * N - a * (a - 1) / 2 + (b - a);
}

}  // namespace pliant::fem
