// SPDX-License-Identifier: MIT
#include "pliant/mesh/models.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/nearest_name.hpp"
#include "pliant/mesh/models/catalogue.hpp"

namespace pliant {
namespace {

const std::vector<model::Entry>& catalogue() {
  using namespace model;
  static const std::vector<Entry> entries{alpha_puzzle(), axe(),      basket(),
                                          bolt(),         bridge(),   bunny(),
                                          cantilever(),   chair(),    composite_plate(),
                                          cube(),         dinosaur(), dragon(),
                                          heart(),        hose(),     knight(),
                                          nut(),          pad(),      sphere(),
                                          spoon(),        torus(),    tower()};
  return entries;
}

// Names of models or of parameters.
template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

}  // namespace

const std::vector<ModelInfo>& models() {
  static const std::vector<ModelInfo> infos = [] {
    std::vector<ModelInfo> all;
    for (const model::Entry& entry : catalogue()) all.push_back(entry.info);
    return all;
  }();
  return infos;
}

const ModelInfo& model_info(std::string_view name) {
  const auto info = std::ranges::find(models(), name, &ModelInfo::name);
  if (info == models().end()) {
    throw Error({}, "no such model", std::string(name), nearest_known(name, names_of(models())));
  }
  return *info;
}

ModelParameters complete_parameters(const ModelInfo& info, const ModelParameters& parameters) {
  const std::vector<ParameterInfo>& known = info.parameters;
  ModelParameters values;
  for (const ParameterInfo& p : known) values[p.name] = p.value;
  for (const auto& [key, value] : parameters) {
    const auto p = std::ranges::find(known, key, &ParameterInfo::name);
    if (p == known.end()) {
      throw Error({"", 0, "model " + info.name}, "no such parameter", key,
                  nearest_known(key, names_of(known)));
    }
    // Written so that a NaN fails.
    if (!(value >= p->least && value <= p->most) || (p->whole && value != std::floor(value))) {
      throw Error({"", 0, fmt::format("model {}: {}", info.name, key)}, "bad value",
                  fmt::format("{:g}", value),
                  fmt::format("{} {:g} to {:g}{}{}", p->whole ? "a whole number" : "a number",
                              p->least, p->most, p->unit.empty() ? "" : " ", p->unit));
    }
    values[key] = value;
  }
  return values;
}

Model make_model(std::string_view name, const ModelParameters& parameters) {
  const ModelInfo& info = model_info(name);
  const auto entry = catalogue().begin() + (&info - models().data());
  Model model = entry->make(model::Values(complete_parameters(info, parameters)));
  model.name = info.name;
  return model;
}

}  // namespace pliant
