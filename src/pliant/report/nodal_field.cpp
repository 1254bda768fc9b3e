// SPDX-License-Identifier: MIT
#include "pliant/report/nodal_field.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/fem/volume_tensors.hpp"

namespace pliant {

NodalField::NodalField(const TensorFile& asset, const AssetBody& body, int index) : index_(index) {
  std::vector<std::string> regions;
  for (const BodyRegion& region : body.regions) regions.push_back(region.name);
  HeldVolume volume = read_volume(asset, body.tensor("volume/"), regions);
  mesh_ = std::move(volume.mesh);
  fixed_ = std::move(volume.fixed);
  U_.resize(3 * mesh_.vertex_count(), 0);
  const std::string basis = body.tensor("basis/U");
  if (asset.contains(basis)) U_ = asset.matrix<double>(basis, 3 * mesh_.vertex_count());
}

Matrix3Xd NodalField::displacement(const WorldState& state) const {
  const VectorXd c = state.bodies[static_cast<std::size_t>(index_)].c.cast<double>();
  PLIANT_ASSERT(c.size() == (U_.cols() > 0 ? U_.cols() : U_.rows()),
                "the state must be of this asset");
  const VectorXd u = U_.cols() > 0 ? VectorXd(U_ * c) : c;
  return Eigen::Map<const Matrix3Xd>(u.data(), 3, mesh_.vertex_count());
}

Matrix3Xd NodalField::positions(const WorldState& state) const {
  const Pose& pose = state.bodies[static_cast<std::size_t>(index_)].pose;
  return (pose.rotation.toRotationMatrix() * (mesh_.V + displacement(state))).colwise() +
         pose.position;
}

}  // namespace pliant
