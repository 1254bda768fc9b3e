// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/gmsh_format.hpp"

namespace pliant::io::gmsh {
namespace {

using Kind = CellShape::Kind;

// Element types 1 to 31 of the manual's chapter "MSH file format", in their order.
constexpr CellShape shapes[] = {
    {Kind::other, 1, 2, "line"},
    {Kind::polygon, 2, 3, "triangle"},
    {Kind::polygon, 2, 4, "quadrilateral"},
    {Kind::tet4, 3, 4, "tetrahedron"},
    {Kind::hex8, 3, 8, "hexahedron"},
    {Kind::other, 3, 6, "prism"},
    {Kind::other, 3, 5, "pyramid"},
    {Kind::other, 1, 3, "line of 3 nodes"},
    {Kind::triangle6, 2, 6, "triangle of 6 nodes"},
    {Kind::other, 2, 9, "quadrilateral of 9 nodes"},
    {Kind::tet10, 3, 10, "tetrahedron of 10 nodes"},
    {Kind::other, 3, 27, "hexahedron of 27 nodes"},
    {Kind::other, 3, 18, "prism of 18 nodes"},
    {Kind::other, 3, 14, "pyramid of 14 nodes"},
    {Kind::other, 0, 1, "point"},
    {Kind::other, 2, 8, "quadrilateral of 8 nodes"},
    {Kind::other, 3, 20, "hexahedron of 20 nodes"},
    {Kind::other, 3, 15, "prism of 15 nodes"},
    {Kind::other, 3, 13, "pyramid of 13 nodes"},
    {Kind::other, 2, 9, "triangle of 9 nodes"},
    {Kind::other, 2, 10, "triangle of 10 nodes"},
    {Kind::other, 2, 12, "triangle of 12 nodes"},
    {Kind::other, 2, 15, "triangle of 15 nodes"},
    {Kind::other, 2, 15, "incomplete triangle of 15 nodes"},
    {Kind::other, 2, 21, "triangle of 21 nodes"},
    {Kind::other, 1, 4, "line of 4 nodes"},
    {Kind::other, 1, 5, "line of 5 nodes"},
    {Kind::other, 1, 6, "line of 6 nodes"},
    {Kind::other, 3, 20, "tetrahedron of 20 nodes"},
    {Kind::other, 3, 35, "tetrahedron of 35 nodes"},
    {Kind::other, 3, 56, "tetrahedron of 56 nodes"},
};

}  // namespace

const CellShape* shape_of(long number) {
  return number >= 1 && number <= static_cast<long>(std::size(shapes)) ? &shapes[number - 1]
                                                                       : nullptr;
}

}  // namespace pliant::io::gmsh
