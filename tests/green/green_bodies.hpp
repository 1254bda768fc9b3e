// SPDX-License-Identifier: MIT
// Bodies of the Green's-function engine, made without files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/base/tensor_file.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/green/bake/green_functions.hpp"
#include "pliant/green/green_engine.hpp"
#include "pliant/mesh/tube.hpp"
#include "pliant/table/json.hpp"
#include "pliant/table/table.hpp"

namespace pliant::test {

inline VolumeMesh small_tube() {
  return tube({.length = 0.4,
               .outer_diameter = 0.1,
               .inner_diameter = 0.06,
               .axial = 12,
               .azimuthal = 8,
               .radial = 1});
}

inline std::vector<NamedSet> controls_of(const VolumeMesh& mesh) {
  std::vector<NamedSet> controls;
  for (const NamedSet& set : mesh.node_sets) {
    if (set.name.starts_with("control_")) controls.push_back(set);
  }
  return controls;
}

inline fem::ElasticModel rubber(VolumeMesh mesh, double density = 1000) {
  return {std::move(mesh), {fem::isotropic(fem::Law::linear, 1e6, 0.4, density)}};
}

// As an asset has it.
struct GreenInput {
  GreenInput(const GreenFunctions& functions, const GreenSettings& settings, bool free = true)
      : value(table::value_of(green_settings_table().write(settings),
                              {std::make_shared<const table::File>(), 0, 0})),
        free(free) {
    TensorWriter writer;
    functions.write(writer, "tube/green/");
    bytes = writer.bytes();
  }
  GreenModel model() const {
    const TensorFile tensors(bytes, "test");
    return GreenEngine::model({tensors, "tube/", value, {}, 1e-3, free});
  }

  table::Value value;
  std::string bytes;
  bool free;
};

inline GreenSettings settings_for(std::vector<ControlState> states) {
  GreenSettings settings;
  for (std::size_t i = 0; i < states.size(); ++i) {
    settings.controls.push_back({"control_" + std::to_string(i), states[i], {}});
  }
  // Far away: what is tested is linear.
  settings.linearity = {Linearity::Beyond::warned, 1e3, 1e3, 180};
  return settings;
}

inline Load no_load(const GreenModel& model) {
  return Load(GreenEngine::size(model), true);
}

}  // namespace pliant::test
