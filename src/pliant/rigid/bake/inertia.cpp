// SPDX-License-Identifier: MIT
#include "pliant/rigid/bake/inertia.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/surface_report.hpp"
#include "pliant/mesh/surface_shells.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant {
namespace {

constexpr const char* wanted = "a closed surface, counter-clockwise seen from outside";

// An edge that is used as often in one direction as in the other has an inside next to it; several
// shells may touch in it.
void require_closed(const SurfaceTopology& topology) {
  int open = 0, turned = 0;
  for (std::size_t e = 0; e < topology.edge_count(); ++e) {
    const auto begin = topology.uses.begin() + static_cast<std::ptrdiff_t>(topology.edges[e]);
    const auto end = topology.uses.begin() + static_cast<std::ptrdiff_t>(topology.edges[e + 1]);
    const auto forward = std::count_if(begin, end, [](const EdgeUse& use) { return use.forward; });
    if ((end - begin) % 2 == 1) {
      ++open;
    } else if (2 * forward != end - begin) {
      ++turned;
    }
  }
  if (open > 0) {
    throw Error({}, "the surface is open, so the body has no volume and no mass",
                std::to_string(open) + " open edges", wanted);
  }
  if (turned > 0) {
    throw Error({}, "neighbouring triangles of the surface are turned opposite ways",
                std::to_string(turned) + " edges between them", wanted);
  }
}

}  // namespace

RigidInertia rigid_inertia(const SurfaceMesh& surface) {
  validate(surface);
  if (surface.face_count() == 0) throw Error({}, "the surface has no triangle", "", wanted);
  const SurfaceTopology topology = topology_of(surface.F);
  require_closed(topology);
  const std::vector<Shell> shells = classify_shells(surface, topology);
  const auto inverted = std::count(shells.begin(), shells.end(), Shell::inverted);
  const MassProperties mass = mass_properties(surface);
  if (inverted > 0 || !(mass.volume > 0)) {
    throw Error({}, "the surface is inside out",
                std::to_string(inverted) + " of " + std::to_string(shells.size()) +
                    " parts, volume " + std::to_string(mass.volume) + " m^3",
                wanted);
  }
  return {mass.volume, mass.centre_of_mass, mass.inertia};
}

void write_inertia(TensorWriter& writer, const std::string& prefix, const RigidInertia& unit) {
  writer.keep(prefix + "mass", VectorXd(VectorXd::Constant(1, unit.mass)));
  writer.keep(prefix + "centre", unit.centre);
  writer.keep(prefix + "inertia", unit.inertia);
}

}  // namespace pliant
