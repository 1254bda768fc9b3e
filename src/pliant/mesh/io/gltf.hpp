// SPDX-License-Identifier: MIT
// glTF 2.0, as JSON (.gltf) or binary (.glb): the triangles of the scene with the transforms of its
// nodes. Each mesh is a group. Materials, skins, morph targets and animations are ignored.
//
// The file is read with nlohmann-json and accessors of our own that check every offset. tinygltf
// (2.7, Debian's) was weighed and not taken: it takes an image's bytes at an unchecked offset of
// its buffer, neither resolves sparse accessors nor holds any accessor's range against its buffer,
// so that all checks below would be ours anyhow, and its errors do not say where in the file.
#pragma once

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::io {

// `load` is only called with relative paths that do not leave the folder (no drive, no scheme, no
// "..").
SurfaceMesh read_gltf(const Source& source, const Load& load, ReadReport& report);

}  // namespace pliant::io
