// SPDX-License-Identifier: MIT
// The 18 grids of [Zhuang00] tables 4.1 and 4.2. The thesis prints only n and nnz; they belong to
// n1 by n2 by n3 nodes of hexahedra with three unknowns a node, of which the n2 n3 nodes of one
// face are held: their rows and columns are those of the identity, and count in n and nnz. With
// this reading all 18 values of nnz come out to the last digit.
#pragma once

#include <array>
#include <cstdint>

#include "pliant/linalg/cholesky.hpp"
#include "pliant/linalg/nested_dissection.hpp"
#include "tests/linalg/elastic_grid.hpp"

namespace pliant::verify {

struct ZhuangGrid {
  int n1, n2, n3;  // nodes; the face across the first axis is held
  int n, nnz;      // as printed
  // Fills and seconds on an HP9000/715, as printed: minimum degree, simple modified nested
  // dissection, nested dissection (the same as the improved version, says 4.1.3).
  std::array<int, 3> fill;
  std::array<double, 3> seconds;
};

inline constexpr std::array<ZhuangGrid, 18> zhuang_grids = {{
    {4, 4, 4, 192, 6348, {1836, 2034, 1980}, {0.05, 0.04, 0.04}},
    {5, 5, 5, 375, 15285, {9342, 10269, 8586}, {0.18, 0.17, 0.17}},
    {6, 6, 6, 648, 30060, {31041, 28872, 26145}, {0.70, 0.58, 0.53}},
    {6, 7, 7, 882, 42384, {47286, 50481, 42462}, {1.07, 1.11, 0.87}},
    {7, 7, 7, 1029, 52131, {74880, 73845, 57537}, {1.98, 1.77, 1.23}},
    {7, 7, 8, 1176, 60360, {96381, 88785, 71685}, {2.67, 2.15, 1.54}},
    {7, 8, 8, 1344, 69888, {117900, 112365, 91971}, {3.54, 2.93, 2.02}},
    {8, 8, 8, 1536, 82956, {149652, 153936, 116514}, {4.65, 4.44, 2.80}},
    {8, 8, 9, 1728, 94266, {225801, 182817, 141741}, {8.86, 5.39, 3.56}},
    {8, 9, 9, 1944, 107118, {261072, 224280, 175743}, {9.88, 7.00, 4.52}},
    {9, 9, 9, 2187, 123993, {300312, 286929, 224973}, {11.31, 9.99, 6.05}},
    {9, 9, 10, 2430, 138870, {347985, 337383, 264609}, {14.15, 11.87, 7.45}},
    {9, 10, 10, 2700, 155532, {452574, 410346, 317898}, {21.49, 14.91, 9.39}},
    {10, 10, 10, 3000, 176700, {550215, 519804, 385200}, {28.49, 21.20, 12.51}},
    {10, 10, 11, 3300, 195630, {644067, 595296, 442053}, {35.26, 24.78, 15.20}},
    {10, 11, 11, 3630, 216588, {787410, 706131, 514395}, {46.60, 31.96, 19.76}},
    {11, 11, 11, 3993, 242535, {1100817, 861705, 610515}, {87.84, 41.00, 23.56}},
    {11, 11, 12, 4356, 266004, {1262097, 979875, 684378}, {94.44, 47.41, 27.31}},
}};

struct NamedOrdering {
  const char* name;
  CholeskyOptions options;
};

// The orders that are compared, for a mesh with three unknowns a node.
inline std::array<NamedOrdering, 5> compared_orderings(const Matrix3Xd& X, const MatrixXi& E) {
  const auto given = [](const VectorXi& p) {
    return CholeskyOptions{.ordering = Ordering::given, .permutation = expand_permutation(p, 3)};
  };
  return {{{"natural", {.ordering = Ordering::natural}},
           {"minimum_degree", {.ordering = Ordering::amd}},
           {"metis", {.ordering = Ordering::metis}},
           {"simple_dissection", given(simple_nested_dissection(X, E))},
           {"dissection", given(nested_dissection(X, E))}}};
}

}  // namespace pliant::verify
