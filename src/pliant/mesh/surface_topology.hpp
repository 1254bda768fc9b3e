// SPDX-License-Identifier: MIT
// How the triangles of a surface hang together, by the indices of their vertices. Triangles with a
// repeated vertex take no part.
//
//   component   triangles connected through edges of any number of triangles
//   patch       triangles connected through edges of exactly two triangles: what can be oriented;
//               a component without non-manifold edges is one patch
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

// One triangle's use of an edge {a, b}, a < b.
struct EdgeUse {
  int a, b;
  int triangle;
  bool forward;  // runs from a to b
};

struct SurfaceTopology {
  std::vector<EdgeUse> uses;       // sorted: the uses of an edge follow one another
  std::vector<std::size_t> edges;  // edge i has the uses edges[i] .. edges[i+1] - 1

  VectorXi component;  // of each triangle, from 0; -1: a repeated vertex
  int components = 0;
  VectorXi patch;  // likewise
  int patches = 0;

  std::vector<char> turn;          // of each triangle: must be turned to agree with its patch
  std::vector<char> orientable;    // of each patch: two-sided
  std::vector<char> closed_patch;  // of each patch: all its edges have two triangles

  std::size_t edge_count() const { return edges.size() - 1; }
};

// The orientation of a patch is that of the greater part of its triangles.
SurfaceTopology topology_of(const Matrix3Xi& F);

// Vertices whose triangles hang together only in the vertex: more than one fan; ascending.
std::vector<int> split_vertices(const Matrix3Xi& F, const SurfaceTopology& topology);

}  // namespace pliant
