// SPDX-License-Identifier: MIT
// Which rows of a registry a call asks for: those whose name begins with one of the given prefixes
// (at a dot), the slow ones only with --long or by their full name.
#pragma once

#include <string>
#include <vector>

#include "pliant/base/error.hpp"

namespace pliant::app {

inline bool matches(const std::string& name, const std::string& prefix) {
  return name == prefix ||
         (name.starts_with(prefix) && (prefix.ends_with('.') || name[prefix.size()] == '.'));
}

// Copies of the chosen items, in the order of their names. Throws Error if a prefix fits none.
template <class Item>
std::vector<Item> select(const std::vector<Item>& items, std::vector<std::string> prefixes,
                         bool with_slow) {
  for (std::string& prefix : prefixes) {
    if (prefix.ends_with('*')) prefix.pop_back();
    bool known = false;
    for (const Item& item : items) known |= matches(item.name, prefix);
    if (!known) throw Error({}, "no such row", prefix, "a name or its beginning, see --list");
  }
  std::vector<Item> chosen;
  for (const Item& item : items) {
    bool named = false, fits = prefixes.empty();
    for (const std::string& prefix : prefixes) {
      fits |= matches(item.name, prefix);
      named |= item.name == prefix;
    }
    if (fits && (named || with_slow || !item.slow)) chosen.push_back(item);
  }
  std::sort(chosen.begin(), chosen.end(),
            [](const Item& a, const Item& b) { return a.name < b.name; });
  return chosen;
}

}  // namespace pliant::app
