// SPDX-License-Identifier: MIT
#include "input.hpp"

#include <charconv>

#include "pliant/base/error.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/models.hpp"

namespace pliant::app {
namespace {

constexpr std::string_view model_prefix = "model:";

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

}  // namespace

Input read_input(const std::string& name, const std::vector<std::string>& settings) {
  if (name.starts_with(model_prefix)) {
    Model model = make_model(name.substr(model_prefix.size()), parameters_of(settings));
    return {std::move(model.surface), {{"model", model.name}}};
  }
  if (!settings.empty()) {
    throw Error({}, "only a model has settings", name, "model:NAME; `pliant info` lists them");
  }
  ReadReport report;
  AnyMesh mesh = read_mesh(name, &report);
  Json origin{{"file", name}};
  origin.update(describe(report));
  return {std::move(mesh), std::move(origin)};
}

}  // namespace pliant::app
