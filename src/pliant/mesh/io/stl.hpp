// SPDX-License-Identifier: MIT
// STL, ASCII and binary: facets without connections, so vertices at exactly the same place are
// made one. Normals and attributes are ignored. The named solids of an ASCII file are groups.
#pragma once

#include <string>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::io {

SurfaceMesh read_stl(const Source& source, ReadReport& report);
// Binary STL holds floats and no groups. Throws Error if a coordinate does not fit a float.
std::string write_stl(const SurfaceMesh& mesh, const WriteOptions& options);

}  // namespace pliant::io
