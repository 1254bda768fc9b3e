// SPDX-License-Identifier: MIT
// MEDIT's .mesh, ASCII (libMeshb's GMF): keywords, each followed by a count and its items, counting
// from 1; '#' starts a comment. Read are Vertices, Triangles, Quadrilaterals, TrianglesP2,
// Tetrahedra, TetrahedraP2 and Hexahedra; the last number of an item, its reference, becomes its
// region or group, that of a vertex the node set "marker_N" (N != 0). Other sections are skipped
// with a note. Names, other sets and materials have no place in such a file.
#pragma once

#include <string>

#include "pliant/mesh/io/any_mesh.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"

namespace pliant::io {

AnyMesh read_medit(const Source& source, ReadReport& report);
std::string write_medit(const VolumeMesh& mesh, const WriteOptions& options);

}  // namespace pliant::io
