// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/abaqus_sets.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pliant::io {
namespace {

// Sets of sets and ranges can hold far more than the file is long.
constexpr std::int64_t most_items = 100'000'000;

}  // namespace

void AbaqusSets::open(const std::string& name) {
  const auto [at, is_new] = index_.emplace(upper(name), sets_.size());
  if (is_new) sets_.push_back({name, {}});
  current_ = at->second;
}

void AbaqusSets::add(int first, int last, int step, KeywordReader& in) {
  std::vector<Entry>& entries = sets_[current_].entries;
  entries.push_back({first, last, step, -1, in.file(), in.line()});
}

void AbaqusSets::add(const std::string& set, KeywordReader& in) {
  const auto other = index_.find(upper(set));
  if (other == index_.end() || other->second >= current_) {
    in.fail(fmt::format("no set of {}s of this name comes before", what_), set);
  }
  sets_[current_].entries.push_back(
      {0, 0, 1, static_cast<int>(other->second), in.file(), in.line()});
}

std::vector<NamedSet> AbaqusSets::resolve(const TagMap& index_of, const KeywordReader& in,
                                          bool lenient) const {
  std::int64_t items_in_all = 0;
  std::vector<NamedSet> resolved;
  for (const Set& set : sets_) {
    std::vector<int> items;
    for (const Entry& entry : set.entries) {
      const auto fail = [&](const std::string& message, const std::string& value) {
        throw Error(in.place_of(entry.file, entry.line), message, value);
      };
      const auto count = [&](std::int64_t more) {
        items_in_all += more;
        if (items_in_all > most_items) fail("the sets of the file hold too many items", set.name);
      };
      if (entry.set >= 0) {
        const std::vector<int>& more = resolved[static_cast<std::size_t>(entry.set)].items;
        count(std::ssize(more));
        items.insert(items.end(), more.begin(), more.end());
        continue;
      }
      count((entry.last - entry.first) / entry.step + 1);
      for (std::int64_t id = entry.first; id <= entry.last; id += entry.step) {
        const int index = index_of.find(id);
        if (index >= 0) {
          items.push_back(index);
        } else if (!lenient) {
          fail(fmt::format("no such {}", what_), std::to_string(id));
        }
      }
    }
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    resolved.push_back({set.name, std::move(items)});
  }
  return resolved;
}

}  // namespace pliant::io
