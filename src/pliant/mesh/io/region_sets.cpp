// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/region_sets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "pliant/base/error.hpp"

namespace pliant::io {
namespace {

std::vector<NamedSet> sets_of_regions(const VolumeMesh& mesh) {
  std::vector<NamedSet> sets;
  for (const Region& region : mesh.regions) sets.push_back({region.name, {}});
  for (int e = 0; e < mesh.region.size(); ++e) {
    sets[static_cast<std::size_t>(mesh.region[e])].items.push_back(e);
  }
  return sets;
}

void drop_repetitions(std::vector<NamedSet>& sets, const std::vector<NamedSet>& of_regions) {
  std::multimap<std::string_view, const NamedSet*> by_name;
  for (const NamedSet& region : of_regions) by_name.emplace(region.name, &region);
  std::erase_if(sets, [&](const NamedSet& set) {
    const auto [begin, end] = by_name.equal_range(set.name);
    return std::any_of(begin, end, [&](const auto& r) { return r.second->items == set.items; });
  });
}

std::string plain(const std::string& name, std::set<std::string>& taken) {
  std::string out = name.empty() ? "unnamed" : name;
  for (char& c : out) {
    const bool allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    if (!allowed) c = '_';
  }
  std::string unique = out;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", out, i);
  return unique;
}

template <class Named>
void make_plain(std::vector<Named>& items) {
  std::set<std::string> taken;
  for (Named& item : items) item.name = plain(item.name, taken);
}

}  // namespace

void assign_sections(VolumeMesh& mesh, const std::vector<Section>& sections, ReadReport& report) {
  if (sections.empty()) return;
  mesh.regions.clear();
  for (const Section& section : sections) {
    mesh.regions.push_back({section.set->name, section.material});
  }
  // Backwards: what a later section holds is no more to be had. A set that comes again is visited
  // once, so that the work stays in proportion to the file.
  mesh.region = VectorXi::Constant(mesh.element_count(), -1);
  std::set<const NamedSet*> visited;
  for (std::size_t i = sections.size(); i-- > 0;) {
    if (!visited.insert(sections[i].set).second) continue;
    for (const int e : sections[i].set->items) {
      if (mesh.region[e] < 0) mesh.region[e] = static_cast<int>(i);
    }
  }
  const auto unassigned = (mesh.region.array() < 0).count();
  if (unassigned > 0) {
    mesh.region = (mesh.region.array() < 0)
                      .select(static_cast<int>(mesh.regions.size()), mesh.region.array());
    mesh.regions.push_back({"unassigned", -1});
    report.notes.push_back(
        fmt::format("{} of {} elements have no material", unassigned, mesh.element_count()));
  }
  drop_repetitions(mesh.element_sets, sets_of_regions(mesh));
}

std::vector<NamedSet> sets_to_write(const VolumeMesh& mesh) {
  std::vector<NamedSet> sets = sets_of_regions(mesh);
  std::vector<NamedSet> others = mesh.element_sets;
  drop_repetitions(others, sets);
  sets.insert(sets.end(), others.begin(), others.end());
  std::set<std::string> names;
  for (const NamedSet& set : sets) {
    if (!names.insert(set.name).second) {
      throw Error({"", 0, fmt::format("set of elements '{}'", set.name)},
                  "the file cannot hold two different ones of this name");
    }
  }
  return sets;
}

VolumeMesh with_plain_names(VolumeMesh mesh) {
  make_plain(mesh.regions);
  make_plain(mesh.materials);
  make_plain(mesh.node_sets);
  make_plain(mesh.element_sets);
  return mesh;
}

void write_list(const std::vector<int>& items, int per_line, Sink& out) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out.text(i % static_cast<std::size_t>(per_line) == 0 ? ",\n" : ", ");
    out.integer(items[i] + 1);
  }
  if (!items.empty()) out.text("\n");
}

}  // namespace pliant::io
