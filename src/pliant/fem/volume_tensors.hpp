// SPDX-License-Identifier: MIT
// A volume mesh and its held nodes as tensors: V F64 [n, 3], E I32 [e, nodes], region I32 [e],
// fixed I32 [m], and for graded meshes hanging I32 [h, 6] (node, number of parents, four parents).
#pragma once

#include <string>
#include <vector>

#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

struct HeldVolume {
  VolumeMesh mesh;
  std::vector<int> fixed;
};

// The names of the tensors begin with `prefix`.
void write_volume(TensorWriter& writer, const std::string& prefix, const VolumeMesh& mesh,
                  const std::vector<int>& fixed);
// `regions`: the names of the mesh's regions. Throws Error if the tensors are no mesh.
HeldVolume read_volume(const TensorView& file, const std::string& prefix,
                       const std::vector<std::string>& regions);

}  // namespace pliant
