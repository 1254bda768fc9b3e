// SPDX-License-Identifier: MIT
// The lattice of isosurface stuffing: the body-centred cubic points over a body, the sign of f at
// each, and the sizes of the merged cubes.
//
// Points are numbered: first the corners (i, j, k), 0 <= i <= cells[0], x fastest; then the centres
// of the cells (i, j, k), 0 <= i < cells[0].
//
// A point has 14 edges: 0..5 long, along +x -x +y -y +z -z; 6 + r short, towards
// (r&1, r>>1&1, r>>2&1) * 2 - 1.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/mesh/implicit.hpp"

namespace pliant {

struct StuffingLattice {
  Vector3i cells;
  Vector3d origin;
  double h;               // edge of a cell
  std::vector<double> f;  // at the points; far from the surface of a distance, only the sign holds

  static constexpr int edges = 14;
  static constexpr bool is_long(int edge) { return edge < 6; }
  static constexpr int reverse(int edge) { return edge < 6 ? edge ^ 1 : 19 - edge; }
  static Vector3d direction(int edge);  // in units of h

  int corner_count() const { return (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1); }
  int cell_count() const { return cells[0] * cells[1] * cells[2]; }
  int point_count() const { return corner_count() + cell_count(); }
  int corner(const Vector3i& c) const {
    return c[0] + (cells[0] + 1) * (c[1] + (cells[1] + 1) * c[2]);
  }
  int cell(const Vector3i& c) const { return c[0] + cells[0] * (c[1] + cells[1] * c[2]); }
  int centre(const Vector3i& c) const { return corner_count() + cell(c); }
  bool is_centre(int point) const { return point >= corner_count(); }
  Vector3i coordinates(int point) const;  // of the corner, or of the cell of the centre
  Vector3d position(int point) const;
  // Of a point that is not on the border of the lattice.
  int neighbour(int point, const Vector3i& coordinates, int edge) const;
  bool holds_cell(const Vector3i& c) const {
    return (c.array() >= 0).all() && (c.array() < cells.array()).all();
  }
};

// f(x); throws an Error if it is not finite.
double evaluate(const ImplicitBody& body, const Vector3d& x);

// n cells along the longest side of the body's box, two more on every side. Throws as stuff() does;
// the two outer layers of points are outside of the body.
StuffingLattice sample_lattice(const ImplicitBody& body, int n, Progress& progress);

// For each cell the level of the cube that holds it: a cube of level l has an edge of 2^l cells and
// a corner at a multiple of that. Cubes that share a corner differ by one level at most, and the
// cells round the given points have level 0: the eight round a corner, a centre's own and its six
// neighbours.
std::vector<std::uint8_t> graded_levels(const StuffingLattice& lattice,
                                        const std::vector<int>& points);

}  // namespace pliant
