// SPDX-License-Identifier: MIT
// Four doubles that one instruction works on: the lanes are four elements of a batch. The
// compilers' vector extension gives the arithmetic, also with a double that is meant for all lanes;
// functions that it lacks are here, for both double and Pack, so that a formula can be a template
// over either.
#pragma once

#include <cmath>
#include <limits>

// UNROLL: before a loop of constant length whose body has constant indices once it is unrolled.
// INLINE: before a function whose arrays become registers once it is part of its caller. Only where
// speed counts: such code under a sanitizer takes minutes to compile.
#ifdef PLIANT_UNROLL_LOOPS
#define PLIANT_UNROLL _Pragma("GCC unroll 16")
#define PLIANT_INLINE [[gnu::always_inline]] inline
#else
#define PLIANT_UNROLL
#define PLIANT_INLINE inline
#endif

namespace pliant::fem {

using Pack = double __attribute__((vector_size(32)));
inline constexpr int lanes = 4;

// Lane-interleaved data: lane l of pack k is at data[lanes * k + l].
inline Pack load(const double* data) {
  Pack x;
  __builtin_memcpy(&x, data, sizeof x);
  return x;
}

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
