// SPDX-License-Identifier: MIT
#include "pliant/bake/solid.hpp"

#include "pliant/bake/mesh_steps.hpp"
#include "pliant/fem/volume_tensors.hpp"

namespace pliant {

const Solid& SharedSolid::of(const TensorFile& mesh) {
  std::call_once(once_, [&] {
    HeldVolume volume = read_volume(mesh, "volume/", region_names(mesh));
    fem::Constraints constraints(volume.mesh, volume.fixed);
    std::vector<fem::Material> materials = materials_of(volume.mesh, regions_);
    const bool free = volume.fixed.empty();
    solid_.emplace(Solid{fem::ElasticModel(std::move(volume.mesh), std::move(materials)),
                         std::move(constraints), free});
  });
  return *solid_;
}

}  // namespace pliant
