// SPDX-License-Identifier: MIT
#include "input.hpp"

#include <charconv>
#include <cmath>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/models.hpp"
#include "pliant/mesh/tube.hpp"

namespace pliant::app {
namespace {

constexpr std::string_view model_prefix = "model:";
constexpr std::string_view tube_name = "tube";
constexpr int most_cells = 100000;

ModelParameters parameters_of(const std::vector<std::string>& settings) {
  ModelParameters parameters;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    double value = 0.0;
    const char* end = setting.data() + setting.size();
    if (equals == setting.npos ||
        std::from_chars(setting.data() + equals + 1, end, value).ptr != end) {
      throw Error({}, "not a setting of a model", setting, "name=number");
    }
    parameters[setting.substr(0, equals)] = value;
  }
  return parameters;
}

// [Klimenko03] table 2.
TubeOptions tube_of(const ModelParameters& parameters) {
  TubeOptions tube;
  double control_width = 0, join_ends = 1, axial = tube.axial, azimuthal = tube.azimuthal,
         radial = tube.radial;
  const std::pair<std::string_view, double*> known[] = {{"length", &tube.length},
                                                        {"outer_diameter", &tube.outer_diameter},
                                                        {"inner_diameter", &tube.inner_diameter},
                                                        {"control_width", &control_width},
                                                        {"curvature", &tube.curvature},
                                                        {"join_ends", &join_ends},
                                                        {"density", &tube.density},
                                                        {"young", &tube.young},
                                                        {"poisson", &tube.poisson},
                                                        {"axial", &axial},
                                                        {"azimuthal", &azimuthal},
                                                        {"radial", &radial}};
  for (const auto& [name, value] : parameters) {
    std::string names;
    bool found = false;
    for (const auto& [own, member] : known) {
      names += (names.empty() ? "" : ", ") + std::string(own);
      if (own != name) continue;
      *member = value;
      found = true;
    }
    if (!found) throw Error({}, "a tube has no such setting", name, names);
  }
  if (parameters.contains("control_width")) tube.control_width = control_width;
  tube.join_ends = join_ends != 0;
  for (const auto& [member, value] :
       {std::pair{&tube.axial, axial}, {&tube.azimuthal, azimuthal}, {&tube.radial, radial}}) {
    if (!(value >= 1 && value <= most_cells && value == std::floor(value))) {
      throw Error({}, "not a number of cells of a tube", std::to_string(value),
                  "a whole number from 1 to " + std::to_string(most_cells));
    }
    *member = static_cast<int>(value);
  }
  return tube;
}

}  // namespace

Input read_input(const std::string& name, const std::vector<std::string>& settings) {
  if (name.starts_with(model_prefix)) {
    Model model = make_model(name.substr(model_prefix.size()), parameters_of(settings));
    return {std::move(model.surface), {{"model", model.name}}};
  }
  if (name == tube_name) return {tube(tube_of(parameters_of(settings))), {{"model", "tube"}}};
  if (!settings.empty()) {
    throw Error({}, "only a model and a tube have settings", name,
                "model:NAME, which `pliant info` lists, or tube");
  }
  ReadReport report;
  AnyMesh mesh = read_mesh(name, &report);
  Json origin{{"file", name}};
  origin.update(describe(report));
  return {std::move(mesh), std::move(origin)};
}

}  // namespace pliant::app
