// SPDX-License-Identifier: MIT
// VTK's XML format for unstructured grids (.vtu). Read: arrays as text, inline base64, appended raw
// or appended base64, either order of bytes, plain or compressed by zlib, several pieces. Written:
// text, or appended raw. Regions and sets are data arrays, see vtk_grid.hpp; other data are left
// out and noted.
#pragma once

#include <span>
#include <string>

#include "pliant/mesh/io/any_mesh.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"

namespace pliant::io {

AnyMesh read_vtu(const Source& source, ReadReport& report);

std::string write_vtu(const VolumeMesh& mesh, const WriteOptions& options = {});

// A named quantity for each point or cell, for a viewer such as ParaView.
struct VtuField {
  std::string name;
  int components;                  // 1 (scalar) or 3 (vector)
  std::span<const double> values;  // components of point 0, of point 1, ...
};
std::string write_vtu(const VolumeMesh& mesh, std::span<const VtuField> point_fields,
                      std::span<const VtuField> cell_fields, const WriteOptions& options = {});
std::string write_vtu(const SurfaceMesh& mesh, std::span<const VtuField> point_fields,
                      const WriteOptions& options = {});

}  // namespace pliant::io
