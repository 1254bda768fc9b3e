// SPDX-License-Identifier: MIT
// Geomview's Object File Format, ASCII: OFF with the prefixes ST, C, N (texture, colour and normal
// of a vertex, which are ignored, as are the colours of the faces). The counts stand behind the
// keyword or on a line of their own; one vertex or face a line; # begins a comment.
#pragma once

#include <string>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::io {

SurfaceMesh read_off(const Source& source, ReadReport& report);
std::string write_off(const SurfaceMesh& mesh, const WriteOptions& options);

}  // namespace pliant::io
