// SPDX-License-Identifier: MIT
#include "pliant/base/nearest_name.hpp"

#include <algorithm>
#include <utility>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

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

// Names are short: what is longer than this is nothing anybody meant.
constexpr std::size_t longest_name = 64;

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  name = name.substr(0, longest_name);
  const std::string* best = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : known) {
    const std::size_t d = edit_distance(name, std::string_view(candidate).substr(0, longest_name));
    if (!best || d < least) least = d, best = &candidate;
  }
  return best ? *best : "";
}

std::string nearest_known(std::string_view name, const std::vector<std::string>& known) {
  return known.empty() ? "nothing here"
                       : "the nearest known is '" + printable(nearest_name(name, known)) + "'";
}

}  // namespace pliant
