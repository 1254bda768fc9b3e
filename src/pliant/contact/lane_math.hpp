// SPDX-License-Identifier: MIT
// Functions of eight numbers, one a lane.
#pragma once

#include <cmath>

#include "pliant/base/pack.hpp"

namespace pliant::simd {

using Floats = Pack<float>;

inline Floats absolute(Floats x) noexcept {
  return x < 0.0F ? -x : x;
}
inline Floats larger(Floats a, Floats b) noexcept {
  return a < b ? b : a;
}
inline Floats smaller(Floats a, Floats b) noexcept {
  return b < a ? b : a;
}
inline Floats root(Floats x) noexcept {
  Floats y;
  for (int k = 0; k < 8; ++k) y[k] = std::sqrt(x[k]);
  return y;
}
// x / y, and 0 where y is 0.
inline Floats ratio(Floats x, Floats y) noexcept {
  return y == 0.0F ? Floats{} : x / (y == 0.0F ? all(1.0F) : y);
}

// Eight distances [m] and their gradients.
struct DistanceSamples {
  Floats distance;
  Pack3 gradient;
};

}  // namespace pliant::simd
