// SPDX-License-Identifier: MIT
// An elastic body by its surface: surface -> how its nodes answer forces.
#include <fmt/format.h>

#include "pliant/bake/body_plan.hpp"
#include "pliant/bake/mesh_steps.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/table/table.hpp"

namespace pliant {
namespace {

using Needs = std::span<const TensorFile* const>;

Error at_body(const BodySpec& body, const std::string& message, const std::string& value = "",
              const std::string& expected = "") {
  Place place = body.place;
  place.item = "body." + body.name;
  return {place, message, value, expected};
}

double volume_of(const SurfaceMesh& surface) {
  double six = 0;
  for (Index t = 0; t < surface.F.cols(); ++t) {
    const Vector3d a = surface.V.col(surface.F(0, t)), b = surface.V.col(surface.F(1, t));
    six += a.dot(b.cross(surface.V.col(surface.F(2, t))));
  }
  return six / 6;
}

// Small deformations: of any isotropic law its constants at rest count.
fem::Material material_of(const PlanInput& input) {
  if (input.regions.size() != 1) {
    throw at_body(input.body, "boundary elements are for a body of one material",
                  fmt::format("{} of them", input.regions.size()), "material = \"NAME\"");
  }
  const fem::Material& material = input.regions.front().material;
  if (!fem::has_lame(material)) {
    throw at_body(input.body, "boundary elements are for isotropic materials",
                  input.regions.front().material_name, "young and poisson, or lambda and mu");
  }
  return material;
}

BakeStep compliance_step(const BodySpec& body, std::size_t mesh, const fem::Material& material) {
  const fem::Lame lame = fem::lame_of(material);
  return {
      body.name + ": compliance",
      "compliance",
      1,
      fmt::format("{} {} {}", lame.lambda, lame.mu, material.density),
      {mesh},
      [body, lame, density = material.density](Needs needs, TensorWriter& out, Progress& progress) {
        SurfaceMesh surface;
        surface.V = needs[0]->matrix<double>("surface/V", 3);
        surface.F = needs[0]->matrix<int>("surface/triangles", 3);
        const MatrixXi fixed = needs[0]->matrix<int>("surface/fixed");
        try {
          const SurfaceCompliance made =
              boundary_compliance(surface, {fixed.data(), fixed.data() + fixed.size()},
                                  fem::young_of(lame.lambda, lame.mu),
                                  0.5 * lame.lambda / (lame.lambda + lame.mu), progress, density);
          made.write(out, "green/", surface.V, density * volume_of(surface));
        } catch (const Cancelled&) {
          throw;
        } catch (const Error& error) {
          throw at_body(body, error.what());
        }
      }};
}

}  // namespace

BodyPlan plan_body(const GreenSurfaceSpec& spec, const PlanInput& input) {
  const std::size_t made =
      input.graph.add(compliance_step(input.body, input.mesh, material_of(input)));
  return {.settings = green_surface_table().write(spec),
          .assemble = [made](const AssetInput& in, const std::string& prefix, AssetBody&,
                             TensorWriter& out) {
            copy_tensors(out, *in.result.files[made], "green/", prefix);
          }};
}

}  // namespace pliant
