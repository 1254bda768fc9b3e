// SPDX-License-Identifier: MIT
#include "pliant/mesh/stuffing_stencil.hpp"

#include <utility>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

bool is_long(int a, int b) {
  return a / 2 == b / 2;
}

std::uint8_t corner(int a) {
  return static_cast<std::uint8_t>(a);
}

std::uint8_t cut(int a, int b) {
  if (a > b) std::swap(a, b);
  for (int e = 0; e < 6; ++e) {
    if (stencil_edges[e][0] == a && stencil_edges[e][1] == b) {
      return static_cast<std::uint8_t>(4 + e);
    }
  }
  PLIANT_ASSERT(false, "no such edge");
  return 0;
}

// Does corner a exceed corner c, at the other end of a short edge, in an odd number of coordinates?
// They differ in all three coordinates, by the same amount; the ends of a long edge differ in one
// coordinate, and c exceeds a in the coordinates in which a does not exceed c.
bool exceeds_oddly(int a, int c, bool odd) {
  return ((odd ? 1 : 0) + a + c + (a > c ? 1 : 0)) % 2 == 1;
}

// Inside corners a, b and the outside corner c: does the diagonal start from a (to the cut point of
// bc), and not from b (to that of ac)?
bool diagonal_from_first(int a, int b, int c, bool odd) {
  if (is_long(a, b)) return exceeds_oddly(a, c, odd);
  return is_long(b, c);
}

// The prism between the triangles t and s, with edges t[i]s[i]. from[i] is the corner of t, i or
// i+1, from which the diagonal of the quadrilateral over t[i] t[i+1] starts.
void add_prism(const std::array<std::uint8_t, 3>& t, const std::array<std::uint8_t, 3>& s,
               const std::array<int, 3>& from, Stencil& stencil) {
  std::array<int, 3> diagonals{};
  for (const int i : from) ++diagonals[static_cast<std::size_t>(i)];
  std::size_t i = 3, j = 3;  // where two start, where none does
  for (std::size_t k = 0; k < 3; ++k) {
    if (diagonals[k] == 2) i = k;
    if (diagonals[k] == 0) j = k;
  }
  PLIANT_ASSERT(i < 3 && j < 3, "the diagonals of a prism run in a circle");
  const std::size_t k = 3 - i - j;
  stencil.tets[0] = {s[i], s[j], s[k], t[i]};
  stencil.tets[1] = {t[i], t[j], t[k], s[j]};
  stencil.tets[2] = {t[i], s[j], t[k], s[k]};
  stencil.count = 3;
}

// Is the tetrahedron positively oriented when every cut point is the middle of its edge?
bool is_positive(const StencilTet& tet) {
  // Barycentric coordinates, times two.
  double m[4][4] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    if (tet[i] < 4) {
      m[i][tet[i]] = 2;
    } else {
      for (const int end : stencil_edges[tet[i] - 4]) m[i][end] = 1;
    }
  }
  // The determinant, by elimination with row exchanges.
  double det = 1;
  for (int c = 0; c < 4; ++c) {
    int pivot = c;
    for (int r = c; r < 4; ++r) {
      if (m[r][c] * m[r][c] > m[pivot][c] * m[pivot][c]) pivot = r;
    }
    if (pivot != c) {
      std::swap(m[pivot], m[c]);
      det = -det;
    }
    PLIANT_ASSERT(m[c][c] != 0, "a stencil's tetrahedron has a volume");
    det *= m[c][c];
    for (int r = c + 1; r < 4; ++r) {
      const double factor = m[r][c] / m[c][c];
      for (int k = c; k < 4; ++k) m[r][k] -= factor * m[c][k];
    }
  }
  return det > 0;
}

Stencil make_stencil(const std::array<int, 4>& sign, bool odd) {
  std::array<int, 4> inside{}, outside{}, on{};
  std::size_t n_inside = 0, n_outside = 0, n_on = 0;
  for (int i = 0; i < 4; ++i) {
    const int s = sign[static_cast<std::size_t>(i)];
    if (s < 0) {
      inside[n_inside++] = i;
    } else if (s > 0) {
      outside[n_outside++] = i;
    } else {
      on[n_on++] = i;
    }
  }
  const int a = inside[0], b = inside[1];

  Stencil stencil;
  if (n_inside == 0) return stencil;
  if (n_outside == 0) {
    stencil = {1, {{{0, 1, 2, 3}}}};
  } else if (n_inside == 1) {
    stencil.count = 1;
    for (int i = 0; i < 4; ++i) {
      const auto u = static_cast<std::size_t>(i);
      stencil.tets[0][u] = sign[u] > 0 ? cut(a, i) : corner(i);
    }
  } else if (n_inside == 2 && n_outside == 1) {  // a pyramid: quadrilateral a b bc ac, apex z
    const int c = outside[0];
    const std::uint8_t A = corner(a), B = corner(b), z = corner(on[0]);
    const std::uint8_t ac = cut(a, c), bc = cut(b, c);
    stencil.count = 2;
    if (diagonal_from_first(a, b, c, odd)) {
      stencil.tets = {{{A, B, bc, z}, {A, bc, ac, z}}};
    } else {
      stencil.tets = {{{A, B, ac, z}, {B, bc, ac, z}}};
    }
  } else if (n_inside == 2) {
    // A prism between the triangles a ac ad and b bc bd. The parity changes from c to d, and so do
    // the ends of the long edges: one diagonal starts from a, the other from b, and only one
    // diagonal of the quadrilateral on the surface, ac bc bd ad, closes no circle.
    const int c = outside[0], d = outside[1];
    const bool first = diagonal_from_first(a, b, c, odd);
    PLIANT_ASSERT(diagonal_from_first(a, b, d, odd) != first, "the diagonals take turns");
    const std::array<int, 3> from = {first ? 0 : 1, first ? 2 : 1, first ? 2 : 0};
    add_prism({corner(a), cut(a, c), cut(a, d)}, {corner(b), cut(b, c), cut(b, d)}, from, stencil);
  } else {  // three inside: a prism between them and their cut points
    const int c = inside[2], d = outside[0];
    const std::array<int, 3> from = {diagonal_from_first(a, b, d, odd) ? 0 : 1,
                                     diagonal_from_first(b, c, d, odd) ? 1 : 2,
                                     diagonal_from_first(c, a, d, odd) ? 2 : 0};
    add_prism({corner(a), corner(b), corner(c)}, {cut(a, d), cut(b, d), cut(c, d)}, from, stencil);
  }
  for (int i = 0; i < stencil.count; ++i) {
    StencilTet& tet = stencil.tets[static_cast<std::size_t>(i)];
    if (!is_positive(tet)) std::swap(tet[2], tet[3]);
  }
  return stencil;
}

struct Table {
  Stencil stencils[2][81];
  Table() {
    for (int odd = 0; odd < 2; ++odd) {
      for (int code = 0; code < 81; ++code) {
        stencils[odd][code] = make_stencil(
            {code % 3 - 1, code / 3 % 3 - 1, code / 9 % 3 - 1, code / 27 - 1}, odd == 1);
      }
    }
  }
};

}  // namespace

const Stencil& stuffing_stencil(const std::array<int, 4>& sign, bool odd) {
  static const Table table;
  return table.stencils[odd ? 1 : 0]
                       [(sign[0] + 1) + 3 * (sign[1] + 1) + 9 * (sign[2] + 1) + 27 * (sign[3] + 1)];
}

}  // namespace pliant
