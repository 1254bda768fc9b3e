// SPDX-License-Identifier: MIT
// What the reader and the writer of Gmsh files both know.
#pragma once

#include "pliant/mesh/io/cells.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io::gmsh {

// The group that holds all elements of a mesh without regions; not a region itself.
inline constexpr const char* all_elements = "(all)";

constexpr int point_type = 15;

constexpr int type_number(ElementType type) {
  return type == ElementType::tet4 ? 4 : type == ElementType::tet10 ? 11 : 5;
}

// Gmsh numbers the mid-edge nodes of a tet10 as 01, 12, 20, 03, 23, 13: the last two of ours
// swapped. The same step both ways.
template <class Nodes>
constexpr void swap_tet10_order(Nodes& nodes) {
  std::swap(nodes[8], nodes[9]);
}

// The element type with this number in the file; nullptr: unknown.
const CellShape* shape_of(long number);

}  // namespace pliant::io::gmsh
