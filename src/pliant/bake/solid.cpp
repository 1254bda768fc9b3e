// SPDX-License-Identifier: MIT
#include "pliant/bake/solid.hpp"

#include <fmt/format.h>

#include "pliant/bake/mesh_steps.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/fem/volume_tensors.hpp"

namespace pliant {
namespace {

// The stiffness holds 12 bytes for every pair of freedoms of nodes that share an element, and so many
// of it there are at a time: assembled, without what is held, shifted.
constexpr double stiffness_copies = 3, bytes_per_entry = 12;
// Shapes, as they are made, kept, weighted and made orthogonal.
constexpr double shape_copies = 4;

double neighbours(ElementType type) {
  return type == ElementType::tet4 ? 15 : 27;  // of a node, with itself
}

void require_memory_for(const VolumeMesh& mesh, int shapes) {
  const double nodes = mesh.vertex_count(), freedoms = 3 * nodes;
  const double stiffness = 9 * nodes * neighbours(mesh.type) * bytes_per_entry;
  require_memory(stiffness_copies * stiffness + shape_copies * 8 * freedoms * shapes,
                 fmt::format("a body of {} nodes and {} shapes", mesh.vertex_count(), shapes),
                 "coarser elements, or a smaller k, need less");
}

}  // namespace

const Solid& SharedSolid::of(const TensorFile& mesh) {
  std::call_once(once_, [&] {
    HeldVolume volume = read_volume(mesh, "volume/", region_names(mesh));
    require_memory_for(volume.mesh, shapes_);
    fem::Constraints constraints(volume.mesh, volume.fixed);
    std::vector<fem::Material> materials = materials_of(volume.mesh, regions_);
    const bool free = volume.fixed.empty();
    solid_.emplace(Solid{fem::ElasticModel(std::move(volume.mesh), std::move(materials)),
                         std::move(constraints), free});
  });
  return *solid_;
}

}  // namespace pliant
