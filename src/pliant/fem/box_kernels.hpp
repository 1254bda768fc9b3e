// SPDX-License-Identifier: MIT
// The kernels of hex8 elements that are axis-aligned boxes, by sum factorisation: shape functions
// and quadrature are products of one-dimensional ones, on t in [-1, 1]
//
//   N_a(x, y, z) = n_ax(x) n_ay(y) n_az(z),   n_0 = (1 - t) / 2,   n_1 = (1 + t) / 2
//
// and n' = -1/2, 1/2 is constant, so that du/dx_d does not depend on x_d.
//
// Gradient: column d of F takes 9 values, one for each pair of points in the other two directions.
// They are the differences of the nodes along d, interpolated in one direction after the other.
//
// Force, R_a = sum_p w_p P g_a: column d of w P is summed over the points along d, then the
// transposed interpolation takes the 9 sums to the nodes.
//
// Stiffness, K_ab,ik = sum_JL sum_p w_p A_iJkL N_a,J N_b,L: in direction d the two shape functions
// of a pair (J, L) are
//   n'_a n'_b   if d = J = L      1 product but for its sign
//   n'_a n_b    if d = J only     2 products, numbered b_d; likewise a_d if d = L only
//   n_a n_b     otherwise         3 products: 00, 01 = 10, 11, numbered a_d + b_d
// The moments of A_iJkL against these are made one direction after the other, 27 points -> 9 lines
// -> 3 planes -> 9 (J = L) or 12 moments. An entry of K is then a sum of nine moments with signs.
#pragma once

#include "pliant/fem/batch_input.hpp"
#include "pliant/fem/elements.hpp"
#include "pliant/fem/laws.hpp"

namespace pliant::fem {

// What a batch stores of its boxes.
struct BoxScale {
  static constexpr int stored = 4;

  explicit BoxScale(const BatchInput& input)
      : derivative{load(input.geometry), load(input.geometry + lanes),
                   load(input.geometry + 2 * lanes)},
        volume(load(input.geometry + 3 * lanes)) {}

  Pack derivative[3];  // dt / dX_d = 2 / edge
  Pack volume;         // of the box over that of [-1, 1]^3
};

// The functions n_0, n_1 at the Gauss points of [-1, 1].
constexpr double line_function(int node, int q) {
  return 0.5 * (node == 0 ? 1 - gauss_points[q] : 1 + gauss_points[q]);
}

// Weight of point q times product m of `count`, as the head of this file numbers them.
constexpr double line_product(int count, int m, int q) {
  const double w = gauss_weights[q];
  if (count == 1) return w;
  if (count == 2) return w * line_function(m, q);
  return w * line_function(m / 2, q) * line_function((m + 1) / 2, q);
}

// The two directions other than d, ascending.
constexpr int other_direction(int d, int k) {
  return k == 0 ? (d == 0 ? 1 : 0) : (d == 2 ? 1 : 2);
}

// The node at s (0 or 1) along d and at e, f along the other two directions.
constexpr int box_node(int d, int s, int e, int f) {
  const int x = d == 0 ? s : e, y = d == 1 ? s : (d == 0 ? e : f), z = d == 2 ? s : f;
  return 4 * z + 2 * y + (x ^ y);
}

// Three numbers for each column d and each pair of points in the other two directions.
using BoxColumns = Pack[3][9][3];

constexpr int box_column(int d, const int (&q)[3]) {
  return 3 * q[other_direction(d, 0)] + q[other_direction(d, 1)];
}

// The columns of F = I + du/dX.
PLIANT_INLINE void box_gradients(const BoxScale& scale, const Pack (*u)[3], BoxColumns& F) {
  PLIANT_UNROLL
  for (int d = 0; d < 3; ++d) {
    PLIANT_UNROLL
    for (int i = 0; i < 3; ++i) {
      Pack lines[2][3];  // f, point along e
      PLIANT_UNROLL
      for (int f = 0; f < 2; ++f) {
        Pack slope[2];
        PLIANT_UNROLL
        for (int e = 0; e < 2; ++e) {
          slope[e] =
              0.5 * scale.derivative[d] * (u[box_node(d, 1, e, f)][i] - u[box_node(d, 0, e, f)][i]);
        }
        PLIANT_UNROLL
        for (int q = 0; q < 3; ++q) {
          lines[f][q] = line_function(0, q) * slope[0] + line_function(1, q) * slope[1];
        }
      }
      const double one = i == d ? 1.0 : 0.0;
      PLIANT_UNROLL
      for (int q = 0; q < 3; ++q) {
        PLIANT_UNROLL
        for (int r = 0; r < 3; ++r) {
          F[d][3 * q + r][i] =
              line_function(0, r) * lines[0][q] + (line_function(1, r) * lines[1][q] + one);
        }
      }
    }
  }
}

// Calls visit(q, F) at each point, z fastest.
template <class Visit>
PLIANT_INLINE void for_each_box_point(const BoxColumns& columns, const Visit& visit) {
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      for (int z = 0; z < 3; ++z) {
        const int q[3] = {x, y, z};
        Pack F[9];
        PLIANT_UNROLL
        for (int k = 0; k < 9; ++k) F[k] = columns[k % 3][box_column(k % 3, q)][k / 3];
        visit(q, F);
      }
    }
  }
}

// Adds the columns of the weighted stress P of a point to the sums.
PLIANT_INLINE void add_box_stress(const int (&q)[3], const Pack* P, BoxColumns& sums) {
  const double w = gauss_weights[q[0]] * gauss_weights[q[1]] * gauss_weights[q[2]];
  PLIANT_UNROLL
  for (int k = 0; k < 9; ++k) sums[k % 3][box_column(k % 3, q)][k / 3] += w * P[k];
}

// f_a from the sums of all points: the transpose of box_gradients.
PLIANT_INLINE void box_force(const BoxScale& scale, const BoxColumns& sums, Pack (*f)[3]) {
  for (int a = 0; a < 8; ++a) {
    for (int i = 0; i < 3; ++i) f[a][i] = Pack{};
  }
  PLIANT_UNROLL
  for (int d = 0; d < 3; ++d) {
    const Pack factor = 0.5 * scale.derivative[d] * scale.volume;
    PLIANT_UNROLL
    for (int i = 0; i < 3; ++i) {
      Pack lines[2][3] = {};
      PLIANT_UNROLL
      for (int q = 0; q < 3; ++q) {
        PLIANT_UNROLL
        for (int r = 0; r < 3; ++r) {
          PLIANT_UNROLL
          for (int n = 0; n < 2; ++n) lines[n][q] += line_function(n, r) * sums[d][3 * q + r][i];
        }
      }
      PLIANT_UNROLL
      for (int n = 0; n < 2; ++n) {
        PLIANT_UNROLL
        for (int e = 0; e < 2; ++e) {
          const Pack slope =
              factor * (line_function(e, 0) * lines[n][0] + line_function(e, 1) * lines[n][1] +
                        line_function(e, 2) * lines[n][2]);
          f[box_node(d, 1, e, n)][i] += slope;
          f[box_node(d, 0, e, n)][i] -= slope;
        }
      }
    }
  }
}

template <class LawT>
Pack box_energy_kernel(const BatchInput& input, const Pack (*u)[3]) {
  const BoxScale scale(input);
  const Constants<LawT> constants(input);
  BoxColumns columns;
  box_gradients(scale, u, columns);
  Pack total{};
  for_each_box_point(columns, [&](const int(&q)[3], const Pack* F) {
    Pack psi;
    LawT::template evaluate<Level::energy, Pack>(constants.p, F, psi, nullptr, nullptr);
    total += gauss_weights[q[0]] * gauss_weights[q[1]] * gauss_weights[q[2]] * psi;
  });
  return total * scale.volume;
}

template <class LawT>
void box_force_kernel(const BatchInput& input, const Pack (*u)[3], Pack (*f)[3]) {
  const BoxScale scale(input);
  const Constants<LawT> constants(input);
  BoxColumns columns, sums = {};
  box_gradients(scale, u, columns);
  for_each_box_point(columns, [&](const int(&q)[3], const Pack* F) {
    Pack psi, P[9];
    LawT::template evaluate<Level::stress, Pack>(constants.p, F, psi, P, nullptr);
    add_box_stress(q, P, sums);
  });
  box_force(scale, sums, f);
}

// A pair of derivative directions J <= L and the entries A_iJkL that belong to it: i <= k if J = L,
// otherwise all nine. After each stage it has so many numbers for one point (0), line along z (1),
// plane of y and z (2), box (3), ordered [x product][y product][z product][entry].
struct MomentPair {
  int J, L;
  constexpr int entries() const { return J == L ? 6 : 9; }
  constexpr int products(int d) const { return 3 - (d == J) - (d == L); }
  constexpr int size(int stage) const {
    int n = entries();
    for (int d = 2; d > 2 - stage; --d) n *= products(d);
    return n;
  }
};
inline constexpr MomentPair moment_pairs[6] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

// Where the numbers of a pair begin; for pair 6: how many there are.
constexpr int moment_offset(int pair, int stage) {
  int at = 0;
  for (int p = 0; p < pair; ++p) at += moment_pairs[p].size(stage);
  return at;
}
constexpr int moment_count(int stage) {
  return moment_offset(6, stage);
}
// Entry (i, k) among those of a pair.
constexpr int moment_entry(const MomentPair& pair, int i, int k) {
  if (pair.J != pair.L) return 3 * i + k;
  return i <= k ? 3 * i - i * (i - 1) / 2 + (k - i) : moment_entry(pair, k, i);
}

// From three points, lines or planes to one number of the next stage for each product.
template <int stage, int p>
PLIANT_INLINE void contract(const Pack (&in)[3][moment_count(stage - 1)], Pack* out) {
  constexpr int size = moment_pairs[p].size(stage - 1);
  constexpr int count = moment_pairs[p].products(3 - stage);
  const int from = moment_offset(p, stage - 1);
  out += moment_offset(p, stage);
  for (int s = 0; s < size; ++s) {
    const Pack x[3] = {in[0][from + s], in[1][from + s], in[2][from + s]};
    PLIANT_UNROLL
    for (int m = 0; m < count; ++m) {
      out[m * size + s] = line_product(count, m, 0) * x[0] + line_product(count, m, 1) * x[1] +
                          line_product(count, m, 2) * x[2];
    }
  }
}
template <int stage>
PLIANT_INLINE void contract(const Pack (&in)[3][moment_count(stage - 1)], Pack* out) {
  contract<stage, 0>(in, out);
  contract<stage, 1>(in, out);
  contract<stage, 2>(in, out);
  contract<stage, 3>(in, out);
  contract<stage, 4>(in, out);
  contract<stage, 5>(in, out);
}

// The moments of the tangent that tangent(q, F, A) gives at each point.
template <class Tangent>
PLIANT_INLINE void box_moments(const BoxColumns& columns, const Tangent& tangent, Pack* moments) {
  Pack points[3][moment_count(0)], lines[3][moment_count(1)], planes[3][moment_count(2)];
  for_each_box_point(columns, [&](const int(&q)[3], const Pack* F) {
    Pack A[tangent_size];
    tangent(q, F, A);
    PLIANT_UNROLL
    for (int p = 0; p < 6; ++p) {
      const MomentPair& pair = moment_pairs[p];
      PLIANT_UNROLL
      for (int i = 0; i < 3; ++i) {
        PLIANT_UNROLL
        for (int k = pair.J == pair.L ? i : 0; k < 3; ++k) {
          points[q[2]][moment_offset(p, 0) + moment_entry(pair, i, k)] =
              A[pair_index(3 * i + pair.J, 3 * k + pair.L)];
        }
      }
    }
    if (q[2] == 2) contract<1>(points, lines[q[1]]);
    if (q[2] == 2 && q[1] == 2) contract<2>(lines, planes[q[0]]);
  });
  contract<3>(planes, moments);
}

// Blocks (a, b), a <= b, of the stiffness from the moments.
inline void box_stiffness(const BoxScale& scale, const Pack* moments, Pack (*K)[9]) {
  Pack factors[6];
  for (int p = 0; p < 6; ++p) {
    factors[p] = 0.25 * scale.volume * scale.derivative[moment_pairs[p].J] *
                 scale.derivative[moment_pairs[p].L];
  }
  for (int b = 0; b < 8; ++b) {
    for (int a = 0; a <= b; ++a) {
      Pack sum[9] = {};
      PLIANT_UNROLL
      for (int p = 0; p < 6; ++p) {
        const MomentPair& pair = moment_pairs[p];
        // The moments of N_m,J N_n,L, and their factor.
        const auto of_nodes = [&](int m, int n, Pack& factor) {
          const int *s = Hex8::corner[m], *t = Hex8::corner[n];
          int at = 0;
          PLIANT_UNROLL
          for (int d = 0; d < 3; ++d) {
            at = at * pair.products(d) + (d == pair.J ? 0 : s[d]) + (d == pair.L ? 0 : t[d]);
          }
          factor = s[pair.J] == t[pair.L] ? factors[p] : -factors[p];
          return moments + moment_offset(p, 3) + at * pair.entries();
        };
        Pack factor;
        const Pack* of_ab = of_nodes(a, b, factor);
        PLIANT_UNROLL
        for (int ik = 0; ik < 9; ++ik) {
          sum[ik] += factor * of_ab[moment_entry(pair, ik / 3, ik % 3)];
        }
        if (pair.J == pair.L) continue;
        // A_iLkJ = A_kJiL: the same with the nodes exchanged.
        const Pack* of_ba = of_nodes(b, a, factor);
        PLIANT_UNROLL
        for (int ik = 0; ik < 9; ++ik) {
          sum[ik] += factor * of_ba[moment_entry(pair, ik % 3, ik / 3)];
        }
      }
      Pack* block = K[block_index<8>(a, b)];
      PLIANT_UNROLL
      for (int ik = 0; ik < 9; ++ik) block[ik] = sum[ik];
    }
  }
}

template <class LawT>
void box_tangent_kernel(const BatchInput& input, const Pack (*u)[3], Pack (*f)[3], Pack (*K)[9]) {
  const BoxScale scale(input);
  const Constants<LawT> constants(input);
  BoxColumns columns, sums = {};
  Pack moments[moment_count(3)];
  box_gradients(scale, u, columns);
  const auto tangent = [&](const int(&q)[3], const Pack* F, Pack* A) {
    Pack psi, P[9];
    LawT::template evaluate<Level::tangent, Pack>(constants.p, F, psi, P, A);
    add_box_stress(q, P, sums);
  };
  box_moments(columns, tangent, moments);
  box_force(scale, sums, f);
  box_stiffness(scale, moments, K);
}

// As damping_kernel.
inline void box_damping_kernel(const BatchInput& input, const Pack (*u)[3], double phi, double psi,
                               Pack (*D)[9]) {
  const BoxScale scale(input);
  BoxColumns columns;
  Pack moments[moment_count(3)];
  box_gradients(scale, u, columns);
  const auto tangent = [&](const int(&)[3], const Pack* F, Pack* A) {
    const Pack no_stress[9] = {};
    StvkLaw::tangent(constant<Pack>(phi), constant<Pack>(psi), F, no_stress, A);
  };
  box_moments(columns, tangent, moments);
  box_stiffness(scale, moments, D);
}

}  // namespace pliant::fem
