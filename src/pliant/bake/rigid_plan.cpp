// SPDX-License-Identifier: MIT
// A rigid body needs its surface, and one that flies mass and inertia of what is inside.
#include "pliant/bake/body_plan.hpp"
#include "pliant/rigid/bake/inertia.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

BodyPlan plan_body(const RigidSpec& spec, const PlanInput& input) {
  BodyPlan plan{.settings = rigid_settings_table().write(spec)};
  if (spec.motion != RigidMotion::free) return plan;
  const std::size_t mesh = input.mesh;
  plan.assemble = [mesh, place = input.body.place](const AssetInput& in, const std::string& prefix,
                                                   AssetBody& body, TensorWriter& out) {
    SurfaceMesh surface;
    surface.V = in.result.files[mesh]->matrix<double>("surface/V", 3);
    surface.F = in.result.files[mesh]->matrix<int>("surface/triangles", 3);
    try {
      write_inertia(out, prefix + "rigid/", rigid_inertia(surface));
    } catch (const Error& error) {
      Place at = place;
      at.item = "body." + body.name + ".mesh";
      throw Error(at, error.what());
    }
    body.free = true;
  };
  return plan;
}

}  // namespace pliant
