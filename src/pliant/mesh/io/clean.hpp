// SPDX-License-Identifier: MIT
// The last step of every reader: repair what is safe, say what was repaired, refuse the rest.
#pragma once

#include <span>
#include <string>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

// Refuses coordinates that are not finite or beyond 1e100. `what`: "vertex" or "node".
void check_coordinates(const Matrix3Xd& V, const char* what, const std::string& file);

// Repairs: vertices at exactly the same place become one, triangles with a repeated vertex or
// without area and vertices that no triangle uses are dropped. Refuses: no triangle left,
// coordinates that are not finite or beyond 1e100, indices that do not exist.
void clean(SurfaceMesh& mesh, const std::string& file, ReadReport& report);

// Vertices at exactly the same place become one, the others keep their order. Returns the new index
// of each. The coordinates must not be NaN.
VectorXi weld(SurfaceMesh& mesh);

// Repairs: inverted elements are turned (tet4, tet10, hex8 with a consistently negative Jacobian),
// vertices at exactly the same place become one, nodes that no element uses are dropped (sets,
// hanging nodes and report.vertex_map follow). Refuses, naming the element and its line: a repeated
// node, no volume, a hex8 or tet10 whose Jacobian changes sign between its nodes, an index that
// does not exist, coordinates that are not finite or beyond 1e100, no element at all. Sets come out
// ascending and without repetition. `element_lines`: the line of each element in the file, or empty
// for binary formats. Errors count nodes and elements from 1.
void clean(VolumeMesh& mesh, const std::string& file, std::span<const long> element_lines,
           ReadReport& report);

}  // namespace pliant::io
