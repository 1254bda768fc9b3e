// SPDX-License-Identifier: MIT
// A body of the vademecum engine: mesh -> shapes and separated answers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pliant/bake/body_plan.hpp"
#include "pliant/bake/solid.hpp"
#include "pliant/table/json.hpp"
#include "pliant/table/table.hpp"
#include "pliant/vademecum/bake/vademecum_bake.hpp"

namespace pliant {
namespace {

// All that the answers depend on.
std::string text_of(const VademecumSpec& spec, const std::vector<BodyRegion>& regions) {
  std::string text = fmt::format("{} {} {} {} {}\n", spec.load, spec.levels, spec.shapes,
                                 spec.terms, spec.tolerance);
  for (const auto& direction : spec.all_directions().colwise()) {
    text += fmt::format("{} {} {}\n", direction.x(), direction.y(), direction.z());
  }
  for (const BodyRegion& region : regions) {
    const fem::Material& m = region.material;
    text += fmt::format("{} {} {} {} {}\n", region.name, fem::name_of(m.law), m.isotropic,
                        fmt::join(m.constants, " "), m.density);
  }
  return text;
}

BakeStep vademecum_step(const BodySpec& body, std::size_t mesh, const SolidSource& source,
                        const VademecumSpec& spec) {
  return {body.name + ": vademecum",
          "vademecum",
          3,
          text_of(spec, source->regions()),
          {mesh},
          [body, source, spec](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            LoadOptions loads{
                .directions = spec.all_directions(), .largest = spec.load, .levels = spec.levels};
            if (needs[0]->contains("accessible")) {
              const VectorXi nodes = needs[0]->matrix<int>("accessible");
              loads.nodes.assign(nodes.begin(), nodes.end());
            }
            try {
              const Vademecum made = bake_vademecum(
                  solid.model, solid.constraints, loads,
                  {.shapes = spec.shapes, .tolerance = spec.tolerance, .terms = spec.terms},
                  progress);
              made.write(out, "vademecum/");
              out.keep("U", MatrixXd(made.U));
            } catch (const Cancelled&) {
              throw;
            } catch (const Error& error) {
              Place place = body.place;
              place.item = "body." + body.name;
              throw Error(place, error.what());
            }
          }};
}

std::vector<MatrixXd> answers_of(const TensorFile& file, double largest, int levels) {
  const SeparatedWeights weights{
      file.matrix<double>("vademecum/Z"), file.matrix<double>("vademecum/Y"),
      file.matrix<double>("vademecum/D"), file.matrix<double>("vademecum/T"), largest};
  return weights.paths(levels);
}

}  // namespace

BodyPlan plan_body(const VademecumSpec& spec, const PlanInput& input) {
  const auto source = std::make_shared<SharedSolid>(input.regions, spec.shapes);
  const std::size_t step = input.graph.add(vademecum_step(input.body, input.mesh, source, spec));
  return {
      .settings = vademecum_settings_table().write(spec.own),
      .basis = step,
      .answers = [largest = spec.load](const TensorFile& file,
                                       int levels) { return answers_of(file, largest, levels); },
      .assemble =
          [step](const AssetInput& in, const std::string& prefix, AssetBody&, TensorWriter& out) {
            copy_tensors(out, *in.result.files[step], "vademecum/", prefix);
            copy_tensor(out, *in.result.files[step], "U", prefix + "basis/U");
          }};
}

}  // namespace pliant
