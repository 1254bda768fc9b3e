// SPDX-License-Identifier: MIT
// Packs of four doubles whose lanes are four elements of a batch. Functions that the vector
// extension lacks are here, for both double and Pack, so that a formula can be a template over
// either.
#pragma once

#include <cmath>
#include <limits>

#include "pliant/base/pack.hpp"

namespace pliant::fem {

using Pack = simd::Pack<double>;
inline constexpr int lanes = simd::lanes<double>;
using simd::load;  // of lane-interleaved data: lane l of pack k is at data[lanes * k + l]

template <class T>
constexpr T constant(double x) {
  return T{} + x;
}

inline double log(double x) {
  return std::log(x);
}
inline Pack log(Pack x) {
  for (int i = 0; i < lanes; ++i) x[i] = std::log(x[i]);
  return x;
}

inline double square_root(double x) {
  return std::sqrt(x);
}
inline Pack square_root(Pack x) {
  for (int i = 0; i < lanes; ++i) x[i] = std::sqrt(x[i]);
  return x;
}

inline double cube_root(double x) {
  return std::cbrt(x);
}
inline Pack cube_root(Pack x) {
  for (int i = 0; i < lanes; ++i) x[i] = std::cbrt(x[i]);
  return x;
}

// value where test > 0, otherwise infinity.
inline double where_positive(double test, double value) {
  return test > 0 ? value : std::numeric_limits<double>::infinity();
}
inline Pack where_positive(Pack test, Pack value) {
  for (int i = 0; i < lanes; ++i) value[i] = where_positive(test[i], value[i]);
  return value;
}

}  // namespace pliant::fem
