// SPDX-License-Identifier: MIT
// PLY (Stanford polygon format), ASCII and binary of both byte orders: x, y, z of the element
// "vertex" and the list vertex_indices (or vertex_index) of the element "face"; all other elements
// and properties are skipped.
#pragma once

#include <string>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::io {

SurfaceMesh read_ply(const Source& source, ReadReport& report);
// Coordinates are doubles; binary files are little endian.
std::string write_ply(const SurfaceMesh& mesh, const WriteOptions& options);

}  // namespace pliant::io
