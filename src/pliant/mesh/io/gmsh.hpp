// SPDX-License-Identifier: MIT
// Gmsh's .msh, versions 2.2 and 4.1, ASCII and binary.
//
// Physical groups carry what a mesh knows beyond its elements:
//   dimension 3      the first group of an element is its region, further ones are element sets
//   dimension 0..2   a node set: all nodes of the group's elements
// Written are regions and element sets as groups of volumes, node sets as groups of points. If
// there are sets but no regions, all elements are put into the group "(all)", which reading takes
// back. Lost in writing: materials, hanging nodes, empty sets, in version 2.2 element sets; a
// double quote or line end inside a name becomes a single quote or blank.
#pragma once

#include <string>

#include "pliant/mesh/io/any_mesh.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"

namespace pliant::io {

AnyMesh read_gmsh(const Source& source, ReadReport& report);

// options.version: "4.1" (also if empty) or "2.2".
std::string write_gmsh(const VolumeMesh& mesh, const WriteOptions& options = {});

}  // namespace pliant::io
