// SPDX-License-Identifier: MIT
// From the numbers that a file gives its nodes, in any order and with gaps, to their indices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pliant::io {

class TagMap {
 public:
  // tags[i] becomes i. Returns a tag that occurs twice, if there is one.
  std::optional<std::int64_t> assign(std::span<const std::int64_t> tags);

  // -1: there is no such tag.
  int find(std::int64_t tag) const {
    if (!sparse_.empty()) return find_sparse(tag);
    const std::uint64_t i = static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(first_);
    return i < dense_.size() ? dense_[i] : -1;
  }

 private:
  int find_sparse(std::int64_t tag) const;

  std::int64_t first_ = 0;
  std::vector<int> dense_;                            // by tag - first_
  std::vector<std::pair<std::int64_t, int>> sparse_;  // ascending, if there are large gaps
};

}  // namespace pliant::io
