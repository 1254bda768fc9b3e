// SPDX-License-Identifier: MIT
// VTK's legacy format (.vtk), ASCII and binary (big endian): unstructured grids, and for reading
// also polygonal data. Cells in the layout up to version 4.2 (CELLS n size) and in that of 5.1
// (OFFSETS, CONNECTIVITY). Regions and sets are data arrays, see vtk_grid.hpp; other data are left
// out and noted.
#pragma once

#include <string>

#include "pliant/mesh/io/any_mesh.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"

namespace pliant::io {

AnyMesh read_vtk(const Source& source, ReadReport& report);

// options.version: "4.2" (also if empty) or "5.1".
std::string write_vtk(const VolumeMesh& mesh, const WriteOptions& options = {});

}  // namespace pliant::io
