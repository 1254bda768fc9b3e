// SPDX-License-Identifier: MIT
// A body of the Green's-function engine: mesh -> solutions. Of the control elements the nodes are
// made with the mesh, and their states and starts are settings: they change without a new bake.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pliant/bake/body_plan.hpp"
#include "pliant/bake/mesh_steps.hpp"
#include "pliant/bake/solid.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/green/bake/green_functions.hpp"
#include "pliant/table/json.hpp"
#include "pliant/table/table.hpp"

namespace pliant {
namespace {

std::string text_of(const std::vector<BodyRegion>& regions) {
  std::string text;
  for (const BodyRegion& region : regions) {
    const fem::Material& m = region.material;
    text += fmt::format("{} {} {} {} {}\n", region.name, fem::name_of(m.law), m.isotropic,
                        fmt::join(m.constants, " "), m.density);
  }
  return text;
}

// What the scene says of its elements, or of those that the mesh brings along.
GreenSettings settings_of(const GreenSpec& spec, const BodySpec& body,
                          const std::vector<NamedSet>& controls) {
  GreenSettings settings{.linearity = spec.linearity, .controls = {}};
  for (const NamedSet& control : controls) {
    ControlSettings own{.name = control.name, .state = ControlState::driven, .start = {}};
    for (const ControlSpec& given : body.control.value_or(std::vector<ControlSpec>{})) {
      if (given.own.name == control.name) own = given.own;
    }
    settings.controls.push_back(own);
  }
  return settings;
}

Error at_body(const BodySpec& body, const Error& error) {
  Place place = body.place;
  place.item = "body." + body.name;
  return {place, error.what()};
}

// Those at which forces are to be exact. Each takes three solutions, which stay.
std::vector<int> loaded_nodes(const TensorFile& mesh) {
  if (!mesh.contains("accessible")) return {};
  const VectorXi nodes = mesh.matrix<int>("accessible");
  if (nodes.size() > GreenSpec::most_loaded) {
    throw Error({"", 0, "accessible"}, "too many nodes at which forces are to be exact",
                fmt::format("{} nodes", nodes.size()),
                fmt::format("at most {}", GreenSpec::most_loaded));
  }
  return {nodes.begin(), nodes.end()};
}

BakeStep green_step(const BodySpec& body, std::size_t mesh, const SolidSource& source,
                    const GreenSpec& spec) {
  return {body.name + ": Green's functions",
          "green",
          1,
          fmt::format("{}{}\n{}", spec.touch, spec.warped() ? " warped" : "",
                      text_of(source->regions())),
          {mesh},
          [body, source, spec](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            try {
              const std::vector<NamedSet> controls = read_controls(*needs[0]);
              const std::vector<int> named = loaded_nodes(*needs[0]);
              const GreenFunctions functions =
                  green_functions(solid.model, solid.constraints.fixed_nodes(), controls,
                                  spec.touch, progress, GreenSolver::automatic, named);
              functions.write(out, "green/");
              if (spec.warped()) {
                functions.write_warped(out, "green/", solid.model, controls);
              } else {
                out.keep("U", MatrixXd(functions.U));
              }
            } catch (const Cancelled&) {
              throw;
            } catch (const Error& error) {
              throw at_body(body, error);
            }
          }};
}

}  // namespace

BodyPlan plan_body(const GreenSpec& spec, const PlanInput& input) {
  const int elements = static_cast<int>(input.body.control ? input.body.control->size() : 2);
  const auto source =
      std::make_shared<SharedSolid>(input.regions, 12 * elements + 3 + 3 * spec.touch);
  const std::size_t mesh = input.mesh;
  const std::size_t green = input.graph.add(green_step(input.body, mesh, source, spec));
  return {.basis = spec.warped() ? std::nullopt : std::optional(green),
          .assemble = [spec, mesh, green, body = input.body](const AssetInput& in,
                                                             const std::string& prefix,
                                                             AssetBody& asset, TensorWriter& out) {
            const TensorFile& made = *in.result.files[mesh];
            const std::vector<NamedSet> controls = read_controls(made);
            const GreenSettings settings = settings_of(spec, body, controls);
            const HeldVolume volume = read_volume(made, "volume/", region_names(made));
            for (std::size_t i = 0; i < controls.size(); ++i) {
              if (settings.controls[i].state != ControlState::free) continue;
              try {
                require_solid(volume.mesh, controls[i]);
              } catch (const Error& error) {
                throw at_body(body, error);
              }
            }
            asset.settings = table::value_of(green_settings_table().write(settings), {});
            copy_tensors(out, made, "control/", prefix);
            copy_tensors(out, *in.result.files[green], "green/", prefix);
            if (spec.warped()) {
              asset.engine = GreenSpec::warped_engine;
            } else {
              copy_tensor(out, *in.result.files[green], "U", prefix + "basis/U");
            }
          }};
}

}  // namespace pliant
