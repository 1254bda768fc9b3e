// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/labels.hpp"

#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "pliant/mesh/io/cells.hpp"
#include "pliant/mesh/io/source.hpp"

namespace pliant::io {
namespace {

constexpr std::string_view prefix = "marker_";

}  // namespace

std::int64_t tag_of_number(std::int64_t number) {
  return number == 0 ? CellCollector::no_tag : number;
}

std::vector<int> region_numbers(const VolumeMesh& mesh) {
  std::vector<int> numbers;
  std::set<std::int64_t> seen;
  for (const Region& region : mesh.regions) {
    std::int64_t number = 0;
    const bool numbered =
        region.name == "unassigned" ||
        (parse(region.name, number) && number > 0 && number <= std::numeric_limits<int>::max());
    if (!numbered || !seen.insert(number).second) break;
    numbers.push_back(static_cast<int>(number));
  }
  if (numbers.size() < mesh.regions.size()) {
    numbers.clear();
    for (std::size_t i = 0; i < mesh.regions.size(); ++i)
      numbers.push_back(static_cast<int>(i) + 1);
  }
  return numbers;
}

std::vector<NamedSet> sets_of_markers(const std::vector<std::int64_t>& markers) {
  std::map<std::int64_t, std::vector<int>> nodes;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (markers[i] != 0) nodes[markers[i]].push_back(static_cast<int>(i));
  }
  std::vector<NamedSet> sets;
  for (auto& [marker, items] : nodes) {
    sets.push_back({std::string(prefix) + std::to_string(marker), std::move(items)});
  }
  return sets;
}

std::vector<std::int64_t> markers_of_sets(const VolumeMesh& mesh) {
  std::vector<std::int64_t> markers;
  for (const NamedSet& set : mesh.node_sets) {
    std::int64_t marker;
    if (!std::string_view(set.name).starts_with(prefix) ||
        !parse(std::string_view(set.name).substr(prefix.size()), marker)) {
      continue;
    }
    markers.resize(static_cast<std::size_t>(mesh.vertex_count()));
    for (const int i : set.items) {
      std::int64_t& own = markers[static_cast<std::size_t>(i)];
      if (own == 0) own = marker;
    }
  }
  return markers;
}

}  // namespace pliant::io
