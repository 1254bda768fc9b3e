// SPDX-License-Identifier: MIT
// The elastic energy of a St. Venant-Kirchhoff body, of any linear material, in r reduced
// coordinates q (u = U q) is a polynomial of degree four. As a Taylor series at rest, with totally
// symmetric derivative tensors,
//
//   V(q)   = 1/2 V2_ij q_i q_j + 1/6 V3_ijk q_i q_j q_k + 1/24 V4_ijkl q_i q_j q_k q_l       [J]
//   R_i(q) = V2_ij q_j + 1/2 V3_ijk q_j q_k + 1/6 V4_ijkl q_j q_k q_l      [Barbic07] (2.26)-(2.28)
//   K_ij(q) = V2_ij + V3_ijk q_k + 1/2 V4_ijkl q_k q_l                     [Barbic07] (2.29)-(2.32)
//
// Only i <= j <= k <= l is stored, the last index slowest: the polynomial of the first r' < r
// coordinates is a prefix of each array.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

// Place of i <= j, i <= j <= k, i <= j <= k <= l among all such.
constexpr Index pair_place(Index i, Index j) {
  return i + j * (j + 1) / 2;
}
constexpr Index triple_place(Index i, Index j, Index k) {
  return pair_place(i, j) + k * (k + 1) * (k + 2) / 6;
}
constexpr Index quadruple_place(Index i, Index j, Index k, Index l) {
  return triple_place(i, j, k) + l * (l + 1) * (l + 2) * (l + 3) / 24;
}
// How many there are below r.
constexpr Index pair_count(Index r) {
  return r * (r + 1) / 2;
}
constexpr Index triple_count(Index r) {
  return r * (r + 1) * (r + 2) / 6;
}
constexpr Index quadruple_count(Index r) {
  return r * (r + 1) * (r + 2) * (r + 3) / 24;
}

struct EnergyPolynomial {
  VectorXd quadratic;  // V2, pair_count(r)
  VectorXd cubic;      // V3, triple_count(r)
  VectorXd quartic;    // V4, quadruple_count(r)
};

}  // namespace pliant
