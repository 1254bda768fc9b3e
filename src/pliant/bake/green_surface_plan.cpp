// SPDX-License-Identifier: MIT
// An elastic body by its surface: surface -> how its nodes answer forces.
#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/bake/body_plan.hpp"
#include "pliant/bake/mesh_steps.hpp"
#include "pliant/bake/solid.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/green/bake/galerkin.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/table/table.hpp"

namespace pliant {
namespace {

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
void check_materials(const GreenSurfaceSpec& spec, const PlanInput& input) {
  if (input.regions.size() != 1 && !spec.of_elements()) {
    throw at_body(input.body, "boundary elements are for a body of one material",
                  fmt::format("{} of them", input.regions.size()),
                  "material = \"NAME\", or method = \"elements\"");
  }
  for (const BodyRegion& region : input.regions) {
    if (fem::has_lame(region.material)) continue;
    throw at_body(input.body, "a surface that is pressed is of isotropic materials",
                  region.material_name, "young and poisson, or lambda and mu");
  }
}

std::string text_of(const GreenSurfaceSpec& spec, const std::vector<BodyRegion>& regions) {
  std::string text = fmt::format("{}", static_cast<int>(spec.method));
  if (spec.touched) {
    for (const Vector3d& corner : {spec.touched->from, spec.touched->to}) {
      text += fmt::format(" {} {} {}", corner[0], corner[1], corner[2]);
    }
  }
  for (const BodyRegion& region : regions) {
    const fem::Lame lame = fem::lame_of(region.material);
    text +=
        fmt::format("\n{} {} {} {}", region.name, lame.lambda, lame.mu, region.material.density);
  }
  return text;
}

std::vector<int> touched_nodes(const TouchedPart& part, const SurfaceMesh& surface) {
  const Eigen::AlignedBox3d box(part.from, part.to);
  std::vector<int> nodes;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (box.contains(Vector3d(surface.V.col(v)))) nodes.push_back(v);
  }
  return nodes;
}

void make_by_boundary(const GreenSurfaceSpec& spec, const fem::Material& material,
                      const TensorFile& mesh, TensorWriter& out, Progress& progress) {
  SurfaceMesh surface;
  surface.V = mesh.matrix<double>("surface/V", 3);
  surface.F = mesh.matrix<int>("surface/triangles", 3);
  const MatrixXi found = mesh.matrix<int>("surface/fixed");
  const std::vector<int> fixed(found.data(), found.data() + found.size());
  const fem::Lame lame = fem::lame_of(material);
  const double young = fem::young_of(lame.lambda, lame.mu);
  const double poisson = 0.5 * lame.lambda / (lame.lambda + lame.mu);
  const auto keep = [&](const SurfaceCompliance& made) {
    made.write(out, "green/", surface.V, material.density * volume_of(surface));
  };
  switch (spec.method) {
    case GreenSurfaceSpec::Method::galerkin:
      return keep(galerkin_compliance(surface, fixed, young, poisson, progress, material.density));
    case GreenSurfaceSpec::Method::compressed:
      return keep(compressed_compliance(surface, fixed, touched_nodes(*spec.touched, surface),
                                        young, poisson, progress, material.density));
    default:
      keep(boundary_compliance(surface, fixed, young, poisson, progress, material.density));
  }
}

// Nodes of the elements become vertices of their surface.
void make_by_elements(const Solid& solid, const TensorFile& mesh, TensorWriter& out,
                      Progress& progress) {
  SurfaceCompliance made =
      element_compliance(solid.model, solid.constraints.fixed_nodes(), progress);
  const MatrixXi nodes = mesh.matrix<int>("surface/nodes");
  std::vector<int> vertex(static_cast<std::size_t>(solid.model.mesh().vertex_count()), -1);
  for (Index v = 0; v < nodes.size(); ++v) {
    vertex[static_cast<std::size_t>(nodes.data()[v])] = static_cast<int>(v);
  }
  for (int& node : made.nodes) node = vertex[static_cast<std::size_t>(node)];
  made.write(out, "green/", mesh.matrix<double>("surface/V", 3),
             fem::lumped_mass(solid.model).sum() / 3);
}

BakeStep compliance_step(const GreenSurfaceSpec& spec, const PlanInput& input) {
  const auto source = std::make_shared<SharedSolid>(input.regions, 3);
  return {input.body.name + ": compliance",
          "compliance",
          2,
          text_of(spec, input.regions),
          {input.mesh},
          [spec, source, body = input.body](Needs needs, TensorWriter& out, Progress& progress) {
            try {
              if (spec.of_elements()) {
                make_by_elements(source->of(*needs[0]), *needs[0], out, progress);
              } else {
                make_by_boundary(spec, source->regions().front().material, *needs[0], out,
                                 progress);
              }
            } catch (const Cancelled&) {
              throw;
            } catch (const Error& error) {
              throw at_body(body, error.what());
            }
          }};
}

}  // namespace

BodyPlan plan_body(const GreenSurfaceSpec& spec, const PlanInput& input) {
  check_materials(spec, input);
  const std::size_t made = input.graph.add(compliance_step(spec, input));
  return {.settings = green_surface_table().write(spec),
          .assemble = [made](const AssetInput& in, const std::string& prefix, AssetBody&,
                             TensorWriter& out) {
            copy_tensors(out, *in.result.files[made], "green/", prefix);
          }};
}

}  // namespace pliant
