// SPDX-License-Identifier: MIT
#include "pliant/mesh/stuffing_stencil.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "pliant/mesh/stuffing.hpp"

namespace pliant {
namespace {

using Corners = std::array<Vector3d, 4>;

// The two lattice tetrahedra that differ in parity; all others are turned and moved copies.
Corners lattice_tet(bool odd) {
  const Vector3d a(0, 0, 0), b(1, 0, 0);
  if (odd) return {a, b, {0.5, 0.5, -0.5}, {0.5, 0.5, 0.5}};
  return {a, b, {0.5, -0.5, -0.5}, {0.5, 0.5, -0.5}};
}

std::array<int, 4> signs_of(int code) {
  return {code % 3 - 1, code / 3 % 3 - 1, code / 9 % 3 - 1, code / 27 - 1};
}

double volume(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  return (b - a).dot((c - a).cross(d - a)) / 6;
}

// A random step from a lattice point along one of its 14 edges, of the edge's length times
// [0, alpha); most often one end of the range.
struct Step {
  Vector3d to, by;
};
double often_extreme(Random& random) {
  const double which = random.uniform();
  return which < 0.4 ? 0.0 : which < 0.8 ? 1.0 : random.uniform();
}
Step random_step(Random& random) {
  const int edge = random.below(14);
  if (edge < 6) {
    const Vector3d d = (edge % 2 ? 1.0 : -1.0) * Vector3d::Unit(edge / 2);
    return {d, stuffing_alpha_long * often_extreme(random) * d};
  }
  const Vector3d d((edge & 1) - 0.5, (edge >> 1 & 1) - 0.5, (edge - 6 >= 4 ? 1 : 0) - 0.5);
  return {d, stuffing_alpha_short * often_extreme(random) * d};
}

// Positions of the ten labels: corners (warped where the sign is 0), then cut points. False if two
// corners would move along the edge between them: it has one cut point only.
bool random_positions(const Corners& x, const std::array<int, 4>& sign, Random& random,
                      std::array<Vector3d, 10>& p) {
  Corners target = x;
  for (std::size_t i = 0; i < 4; ++i) {
    p[i] = x[i];
    if (sign[i] != 0) continue;
    const Step step = random_step(random);
    target[i] += step.to;
    p[i] += step.by;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (target[i].isApprox(x[j]) && target[j].isApprox(x[i])) return false;
    }
  }
  for (std::size_t e = 0; e < 6; ++e) {
    const auto a = static_cast<std::size_t>(stencil_edges[e][0]);
    const auto b = static_cast<std::size_t>(stencil_edges[e][1]);
    const double alpha = e == 0 || e == 5 ? stuffing_alpha_long : stuffing_alpha_short;
    p[4 + e] = x[a] + (alpha + (1 - 2 * alpha) * often_extreme(random)) * (x[b] - x[a]);
  }
  return true;
}

TEST(StuffingStencil, KeepsThePublishedAnglesForAllSignsWarpsAndCutPoints) {
  Random random(7);
  double least = 180, most = 0;
  for (const bool odd : {false, true}) {
    const Corners x = lattice_tet(odd);
    ASSERT_GT(volume(x[0], x[1], x[2], x[3]), 0);
    ASSERT_EQ((x[0].array() > x[2].array()).count() % 2, odd ? 1 : 0);
    for (int code = 0; code < 81; ++code) {
      const Stencil& stencil = stuffing_stencil(signs_of(code), odd);
      for (int trial = 0; trial < 4000; ++trial) {
        std::array<Vector3d, 10> p;
        if (!random_positions(x, signs_of(code), random, p)) continue;
        for (int n = 0; n < stencil.count; ++n) {
          const StencilTet& t = stencil.tets[static_cast<std::size_t>(n)];
          ASSERT_GT(volume(p[t[0]], p[t[1]], p[t[2]], p[t[3]]), 0.002) << code;
          for (const auto& [i, j, k, l] : std::vector<std::array<std::size_t, 4>>{{0, 1, 2, 3},
                                                                                  {0, 2, 1, 3},
                                                                                  {0, 3, 1, 2},
                                                                                  {1, 2, 0, 3},
                                                                                  {1, 3, 0, 2},
                                                                                  {2, 3, 0, 1}}) {
            const Vector3d e = p[t[j]] - p[t[i]];
            const Vector3d a = e.cross(p[t[k]] - p[t[i]]), b = e.cross(p[t[l]] - p[t[i]]);
            const double angle = std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi;
            least = std::min(least, angle);
            most = std::max(most, angle);
          }
        }
      }
    }
  }
  EXPECT_GT(least, stuffing_min_angle);
  EXPECT_LT(most, stuffing_max_angle);
  // The extremes are reached, so the sampling is no toothless one.
  EXPECT_LT(least, 10.9);
  EXPECT_GT(most, 164.0);
}

// Without warps the pieces inside and, by the opposite signs, outside fill the tetrahedron.
TEST(StuffingStencil, PiecesInsideAndOutsideMakeUpTheWhole) {
  Random random(11);
  for (const bool odd : {false, true}) {
    const Corners x = lattice_tet(odd);
    for (int code = 0; code < 81; ++code) {
      std::array<int, 4> sign = signs_of(code), opposite = sign;
      for (int& s : opposite) s = -s;
      if (std::ranges::count(sign, 0) == 4) continue;
      std::array<Vector3d, 10> p;
      for (std::size_t i = 0; i < 4; ++i) p[i] = x[i];
      for (std::size_t e = 0; e < 6; ++e) {
        const auto a = static_cast<std::size_t>(stencil_edges[e][0]);
        const auto b = static_cast<std::size_t>(stencil_edges[e][1]);
        p[4 + e] = x[a] + random.uniform(0.1, 0.9) * (x[b] - x[a]);
      }
      // The quadrilateral of the surface in (-,-,+,+) is bent, and the two sides may halve it
      // differently: there a plane cut.
      if (std::ranges::count(sign, 1) == 2 && std::ranges::count(sign, -1) == 2) {
        for (std::size_t e = 0; e < 6; ++e) {
          p[4 + e] = 0.5 * (x[static_cast<std::size_t>(stencil_edges[e][0])] +
                            x[static_cast<std::size_t>(stencil_edges[e][1])]);
        }
      }
      double sum = 0;
      for (const auto& s : {sign, opposite}) {
        const Stencil& stencil = stuffing_stencil(s, odd);
        for (int n = 0; n < stencil.count; ++n) {
          const StencilTet& t = stencil.tets[static_cast<std::size_t>(n)];
          sum += volume(p[t[0]], p[t[1]], p[t[2]], p[t[3]]);
        }
      }
      EXPECT_NEAR(sum, volume(x[0], x[1], x[2], x[3]), 1e-14) << code;
    }
  }
}

}  // namespace
}  // namespace pliant
