// SPDX-License-Identifier: MIT
// Functions of eight numbers, one a lane.
#pragma once

#include <cmath>

#include "pliant/base/pack.hpp"

#ifdef __AVX__
#include <immintrin.h>
#endif

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
#ifdef __AVX__
  return _mm256_sqrt_ps(x);
#else
  for (int k = 0; k < 8; ++k) x[k] = std::sqrt(x[k]);
  return x;
#endif
}
// A bit for each lane in which a < b.
inline unsigned lanes_below(Floats a, Floats b) noexcept {
#ifdef __AVX__
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)));
#else
  unsigned bits = 0;
  for (int k = 0; k < 8; ++k) bits |= static_cast<unsigned>(a[k] < b[k]) << k;
  return bits;
#endif
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
