// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/tag_map.hpp"

#include <algorithm>

namespace pliant::io {

std::optional<std::int64_t> TagMap::assign(std::span<const std::int64_t> tags) {
  dense_.clear();
  sparse_.clear();
  if (tags.empty()) return {};
  const auto [low, high] = std::minmax_element(tags.begin(), tags.end());
  first_ = *low;
  const std::uint64_t range = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
  if (range / 4 <= tags.size()) {
    dense_.assign(range + 1, -1);
    for (std::size_t i = 0; i < tags.size(); ++i) {
      int& index = dense_[static_cast<std::uint64_t>(tags[i]) - static_cast<std::uint64_t>(first_)];
      if (index >= 0) return tags[i];
      index = static_cast<int>(i);
    }
    return {};
  }
  for (std::size_t i = 0; i < tags.size(); ++i) sparse_.emplace_back(tags[i], static_cast<int>(i));
  std::sort(sparse_.begin(), sparse_.end());
  const auto twice = std::adjacent_find(sparse_.begin(), sparse_.end(),
                                        [](auto& a, auto& b) { return a.first == b.first; });
  if (twice != sparse_.end()) return twice->first;
  return {};
}

int TagMap::find_sparse(std::int64_t tag) const {
  const auto at = std::lower_bound(sparse_.begin(), sparse_.end(), std::pair(tag, 0));
  return at != sparse_.end() && at->first == tag ? at->second : -1;
}

}  // namespace pliant::io
