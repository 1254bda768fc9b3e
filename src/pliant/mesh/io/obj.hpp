// SPDX-License-Identifier: MIT
// Wavefront OBJ: the polygons. v (x y z; what follows is ignored), f (v, v/t, v//n, v/t/n; negative
// indices count back from the last vertex), backslash at the end of a line joins it to the next.
// A face's group is named after what it stands under: "part/material" where both are given, part
// being the last o or g and material the last usemtl, "default" where neither is.
#pragma once

#include <string>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::io {

SurfaceMesh read_obj(const Source& source, ReadReport& report);
// Groups are written as g.
std::string write_obj(const SurfaceMesh& mesh, const WriteOptions& options);

}  // namespace pliant::io
