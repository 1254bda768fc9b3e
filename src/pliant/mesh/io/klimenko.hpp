// SPDX-License-Identifier: MIT
// Reader of [Klimenko03] table 1, "input data, general case", as text. The table gives the order of
// the values; blanks and line ends separate them, `#` starts a comment, indices count from 0:
//
//   nodes tetrahedra strips
//   x y z                 per node [m]
//   a b c d               per tetrahedron
//   rho Y nu              per tetrahedron [kg/m^3, N/m^2, -]
//   length                per strip
//   i j k ...             the nodes of all strips, one strip after the other
//   flags                 a character per node ('0': free), with or without blanks between them
//
// The nodes of the triangle strips become the node set "surface"; their triangles are not kept,
// because boundary_surface() gives them. For the rest see klimenko_mesh().
#pragma once

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

VolumeMesh read_klimenko(const Source& source, ReadReport& report);

}  // namespace pliant::io
