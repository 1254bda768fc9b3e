// SPDX-License-Identifier: MIT
// Rules for integrals over pairs of triangles of kernels like 1/r, by the coordinates of Sauter and
// Schwab (Boundary Element Methods, Springer 2011, 5.2), which take the singularity out where the two
// are the same, share an edge or share a corner. A triangle with corners A, B, C is
//
//   A + x1 (B - A) + x2 (C - B)      0 <= x2 <= x1 <= 1
//
// of two that share an edge, A and B are the same, and of two that share a corner, A is.
#pragma once

#include <array>
#include <vector>

namespace pliant {

enum class PanelPair { apart, corner, edge, same };

struct PairPoint {
  std::array<double, 3> x, y;  // hat functions of A, B, C on the first and on the second triangle
  double weight;               // the sum is 1: times both areas
};

// `order`: points of Gauss rules along each of the four coordinates, 1 to 8.
std::vector<PairPoint> panel_pair_rule(PanelPair kind, int order);

}  // namespace pliant
