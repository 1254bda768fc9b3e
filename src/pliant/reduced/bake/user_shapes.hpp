// SPDX-License-Identifier: MIT
// A user's own shapes for the basis, as displacements of a mesh's nodes [m].
#pragma once

#include <filesystem>

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

// How far `deformed` has moved from `rest`: 3 #V. Throws Error unless both have the same kind of
// elements on the same nodes.
VectorXd displacement(const VolumeMesh& rest, const VolumeMesh& deformed);

// 3 #V by N, by the ending of the file:
//   .safetensors  the tensor "shapes", F64 or F32, of shape [N, #V, 3] or [N, 3 #V]
//   a mesh        the mesh `rest` deformed: one shape
// Throws Error: no such file, another shape of the tensor, a number that is not finite, another
// mesh.
MatrixXd read_shapes(const std::filesystem::path& path, const VolumeMesh& rest);

// The tensor "shapes" of shape [N, 3 #V].
void write_shapes(const std::filesystem::path& path, const MatrixXd& shapes);

}  // namespace pliant
