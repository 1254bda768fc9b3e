// SPDX-License-Identifier: MIT
// Pack<T>: as many numbers as one instruction works on, 8 float or 4 double. The compilers' vector
// extension gives the arithmetic, also with a number that is meant for all lanes; loads, stores and
// sums of the lanes are here. The order of a sum is part of its meaning: bits depend on it.
#pragma once

#include "pliant/base/types.hpp"

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

namespace pliant::simd {

template <class T>
struct PackOf;
template <>
struct PackOf<float> {
  using Type = float __attribute__((vector_size(32)));
  using Quad = float __attribute__((vector_size(16)));
};
template <>
struct PackOf<double> {
  using Type = double __attribute__((vector_size(32)));
  using Quad = Type;
};
template <class T>
using Pack = typename PackOf<T>::Type;
template <class T>
using Quad = typename PackOf<T>::Quad;  // four numbers
template <class T>
inline constexpr Index lanes = 32 / static_cast<Index>(sizeof(T));

// At any address.
template <class T>
inline Pack<T> load(const T* data) {
  Pack<T> x;
  __builtin_memcpy(&x, data, sizeof x);
  return x;
}
template <class T>
inline void store(T* data, Pack<T> x) {
  __builtin_memcpy(data, &x, sizeof x);
}
template <class T>
inline Pack<T> all(T x) {
  return x - Pack<T>{};
}

inline double sum(Pack<double> x) {
  return (x[0] + x[1]) + (x[2] + x[3]);
}
inline float sum(Quad<float> x) {
  return (x[0] + x[1]) + (x[2] + x[3]);
}
inline float sum(Pack<float> x) {
  return sum(__builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7));
}

// The sums of the lanes of four packs.
inline Quad<double> sums(Pack<double> a, Pack<double> b, Pack<double> c, Pack<double> d) {
  const Pack<double> ab =
      __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack<double> cd =
      __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}
inline Quad<float> sums(Pack<float> a, Pack<float> b, Pack<float> c, Pack<float> d) {
  const Pack<float> ab = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
                         __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const Pack<float> cd = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14) +
                         __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
  const Pack<float> both = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) +
                           __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(both, both, 0, 1, 2, 3) +
         __builtin_shufflevector(both, both, 4, 5, 6, 7);
}

// Eight points, one a lane.
struct Pack3 {
  Pack<float> x, y, z;
};

// Row k becomes lane k of every row.
inline void transpose(Pack<float> (&rows)[8]) {
  Pack<float> a[8], b[8];
  for (int k = 0; k < 8; k += 2) {
    a[k] = __builtin_shufflevector(rows[k], rows[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[k + 1] = __builtin_shufflevector(rows[k], rows[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int k = 0; k < 8; k += 4) {
    b[k] = __builtin_shufflevector(a[k], a[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    b[k + 1] = __builtin_shufflevector(a[k], a[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    b[k + 2] = __builtin_shufflevector(a[k + 1], a[k + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    b[k + 3] = __builtin_shufflevector(a[k + 1], a[k + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int k = 0; k < 4; ++k) {
    rows[k] = __builtin_shufflevector(b[k], b[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    rows[k + 4] = __builtin_shufflevector(b[k], b[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

}  // namespace pliant::simd
