// SPDX-License-Identifier: MIT
#include "pliant/report/nodal_field.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/fem/volume_tensors.hpp"

namespace pliant {

NodalField::NodalField(const TensorFile& asset, const AssetHead& head, int index) : index_(index) {
  const AssetBody& body = head.bodies[static_cast<std::size_t>(index)];
  std::vector<std::string> regions;
  for (const BodyRegion& region : body.regions) regions.push_back(region.name);
  HeldVolume volume = read_volume(asset, body.tensor("volume/"), regions);
  mesh_ = std::move(volume.mesh);
  fixed_ = std::move(volume.fixed);
  if (body.engine == Engine::reduced) {
    U_ = asset.matrix<double>(body.tensor("basis/U"), 3 * mesh_.vertex_count());
  } else {
    U_.resize(3 * mesh_.vertex_count(), 0);
  }
}

Matrix3Xd NodalField::displacement(const World& world, const WorldState& state) const {
  const auto body = static_cast<std::size_t>(index_);
  VectorXd u;
  if (const VectorXd* dense = world.nodal_displacement(index_)) {
    u = *dense;
  } else {
    PLIANT_ASSERT(state.bodies[body].c.size() == U_.cols(), "the state must be of this asset");
    u = U_ * state.bodies[body].c.cast<double>();
  }
  return Eigen::Map<const Matrix3Xd>(u.data(), 3, mesh_.vertex_count());
}

Matrix3Xd NodalField::positions(const World& world, const WorldState& state) const {
  const BodyState& body = state.bodies[static_cast<std::size_t>(index_)];
  return (body.rotation.toRotationMatrix() * (mesh_.V + displacement(world, state))).colwise() +
         body.position;
}

}  // namespace pliant
