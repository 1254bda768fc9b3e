// SPDX-License-Identifier: MIT
#include "pliant/mesh/models.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/models/catalogue.hpp"

namespace pliant {
namespace {

const std::vector<model::Entry>& catalogue() {
  using namespace model;
  static const std::vector<Entry> entries{
      alpha_puzzle(), axe(),      basket(), bridge(), cantilever(), composite_plate(),
      cube(),         dinosaur(), dragon(), heart(),  hose(),       knight(),
      sphere(),       spoon(),    torus(),  tower()};
  return entries;
}

// Levenshtein's: insertions, deletions and replacements that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// How an error names what could have been meant; `known` has names.
template <class Items, class NameOf>
std::string nearest(std::string_view name, const Items& known, NameOf name_of) {
  // Names are short: what is longer than this is nothing anybody meant.
  name = name.substr(0, 64);
  std::string best;
  std::size_t least = static_cast<std::size_t>(-1);
  for (const auto& item : known) {
    const std::size_t d = edit_distance(name, name_of(item));
    if (d < least) least = d, best = name_of(item);
  }
  return best.empty() ? "nothing here" : fmt::format("the nearest known is '{}'", best);
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

Model make_model(std::string_view name, const ModelParameters& parameters) {
  const auto entry =
      std::ranges::find(catalogue(), name, [](const model::Entry& e) { return e.info.name; });
  if (entry == catalogue().end()) {
    throw Error({}, "no such model", std::string(name),
                nearest(name, models(), [](const ModelInfo& m) { return m.name; }));
  }
  const std::vector<ParameterInfo>& known = entry->info.parameters;
  ModelParameters values;
  for (const ParameterInfo& p : known) values[p.name] = p.value;
  for (const auto& [key, value] : parameters) {
    const auto p = std::ranges::find(known, key, &ParameterInfo::name);
    if (p == known.end()) {
      throw Error({"", 0, "model " + entry->info.name}, "no such parameter", key,
                  nearest(key, known, [](const ParameterInfo& k) { return k.name; }));
    }
    // Written so that a NaN fails.
    if (!(value >= p->least && value <= p->most) || (p->whole && value != std::floor(value))) {
      throw Error({"", 0, fmt::format("model {}: {}", entry->info.name, key)}, "bad value",
                  fmt::format("{:g}", value),
                  fmt::format("{} {:g} to {:g} {}", p->whole ? "a whole number" : "a number",
                              p->least, p->most, p->unit));
    }
    values[key] = value;
  }
  Model model = entry->make(model::Values(std::move(values)));
  model.name = entry->info.name;
  return model;
}

}  // namespace pliant
