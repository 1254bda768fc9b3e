// SPDX-License-Identifier: MIT
// The nodes of a body's volume mesh while a world moves it, for whoever draws, writes or measures
// it. Not for a 1 kHz step.
#pragma once

#include <vector>

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/volume_mesh.hpp"
#include "pliant/world/world.hpp"

namespace pliant {

class NodalField {
 public:
  // Of a body of the asset that has elements. `index`: of the world's body. Throws Error if the
  // asset is not sound.
  NodalField(const TensorFile& asset, const AssetBody& body, int index);

  const VolumeMesh& mesh() const { return mesh_; }  // at rest, in the body's frame
  const std::vector<int>& fixed() const { return fixed_; }
  const MatrixXd& basis() const { return U_; }  // 3 #V by r; of a dense body 3 #V by 0

  // Displacements in the body's frame, 3 by #V.
  Matrix3Xd displacement(const WorldState& state) const;
  // Where the nodes are in the world's frame.
  Matrix3Xd positions(const WorldState& state) const;

 private:
  int index_;
  VolumeMesh mesh_;
  std::vector<int> fixed_;
  MatrixXd U_;
};

}  // namespace pliant
