// SPDX-License-Identifier: MIT
#include "pliant/scene/engine_spec.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/table/table.hpp"

namespace pliant {

const table::Table<EngineSpec>& engine_table() {
  static const table::Table<EngineSpec> all = [] {
    table::Table<EngineSpec> t("What moves the body.");
    t.alternative(ReducedSpec::engine, reduced_spec_table());
    t.alternative(FullSpec::engine, full_settings_table());
    t.alternative(RigidSpec::engine, rigid_settings_table());
    t.alternative(GreenSpec::engine, green_spec_table());
    t.alternative(GreenSurfaceSpec::engine, green_surface_table());
    t.alternative(VademecumSpec::engine, vademecum_spec_table());
    return t;
  }();
  return all;
}

namespace {

template <class Spec>
void add_for_mesh(std::vector<EngineSpec>& specs) {
  if constexpr (requires { Spec::for_mesh(); }) specs.push_back(Spec::for_mesh());
}
template <class... Specs>
std::vector<EngineSpec> all_for_mesh(const std::variant<Specs...>&) {
  std::vector<EngineSpec> specs;
  (add_for_mesh<Specs>(specs), ...);
  return specs;
}

}  // namespace

std::vector<EngineSpec> specs_for_mesh() {
  return all_for_mesh(EngineSpec{});
}

double StepCost::of(double nodes) const {
  return seconds * std::pow(nodes, power);
}

std::optional<StepCost> step_cost(const EngineSpec& spec) {
  return std::visit(
      [](const auto& s) -> std::optional<StepCost> {
        if constexpr (requires { s.step_seconds; }) {
          if (s.cost_known()) return StepCost{s.engine, s.step_seconds, s.step_power};
        }
        return std::nullopt;
      },
      spec);
}

std::vector<StepCost> step_costs() {
  std::vector<StepCost> costs;
  for (const EngineSpec& spec : specs_for_mesh()) {
    if (const auto cost = step_cost(spec)) costs.push_back(*cost);
  }
  return costs;
}

double rate_held(double cost, double rate) {
  constexpr double slowest = 1e6;  // steps of the scene to one of the body
  return rate / std::clamp(std::ceil(cost * rate / most_of_a_step), 1.0, slowest);
}

}  // namespace pliant
