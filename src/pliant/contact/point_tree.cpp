// SPDX-License-Identifier: MIT
#include "pliant/contact/point_tree.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/Geometry>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

[[noreturn]] void fail(const std::string& what, int value, const std::string& expected) {
  throw Error({"", 0, "point tree"}, what, std::to_string(value), expected);
}

void check(const PointTreeData& data, Index points) {
  const std::vector<int>& first = data.first;
  if (first.size() < 2 || first[0] != 0 || first.back() != points ||
      std::ranges::adjacent_find(first, std::greater_equal{}) != first.end()) {
    fail("its levels are not sound", first.empty() ? 0 : first.back(),
         "levels of at least a point each, and all " + std::to_string(points) + " points");
  }
  if (static_cast<Index>(data.parent.size()) != points) {
    fail("parents", static_cast<int>(data.parent.size()), "one a point");
  }
  for (std::size_t l = 1; l + 1 < first.size(); ++l) {
    for (int p = first[l]; p < first[l + 1]; ++p) {
      const int parent = data.parent[static_cast<std::size_t>(p)];
      const bool ordered = p == first[l] || data.parent[static_cast<std::size_t>(p) - 1] <= parent;
      if (parent < 0 || parent >= first[l] || !ordered) {
        fail("the parent of point " + std::to_string(p), parent,
             "a point of the levels before, not less than that of the point before");
      }
    }
  }
}

}  // namespace

PointTree::PointTree(PointTreeData data, const LinearShape& shell)
    : first_(data.first), size_(shell.size()) {
  check(data, shell.point_count());
  const auto count = static_cast<std::size_t>(shell.point_count());
  // The node of a level above which each point is: itself at the level of its own.
  std::vector<int> above(count);
  std::iota(above.begin(), above.end(), 0);
  levels_.resize(first_.size() - 2);
  std::vector<int> order(count);
  for (std::size_t l = levels_.size(); l-- > 0;) {
    Level& level = levels_[l];
    const int nodes = first_[l + 1];
    for (int& p : above) {
      if (p >= nodes) p = data.parent[static_cast<std::size_t>(p)];
    }
    level.children.resize(static_cast<std::size_t>(nodes) + 1);
    int next = nodes;
    for (int p = 0; p <= nodes; ++p) {
      while (next < first_[l + 2] && data.parent[static_cast<std::size_t>(next)] < p) ++next;
      level.children[static_cast<std::size_t>(p)] = next;
    }
    level.radius.assign(static_cast<std::size_t>(nodes), 0.0F);
    for (std::size_t s = 0; s < count; ++s) {
      const auto p = static_cast<std::size_t>(above[s]);
      const double d = (shell.rest_position(static_cast<Index>(s)).cast<double>() -
                        shell.rest_position(above[s]).cast<double>())
                           .norm();
      level.radius[p] = std::max(level.radius[p], static_cast<float>(d * (1 + 1e-6)));
    }
    if (shell.size() == 0) continue;
    // The points below each node, one node after the other.
    std::vector<int> begin(static_cast<std::size_t>(nodes) + 1, 0), centres(begin.size() - 1);
    for (const int p : above) ++begin[static_cast<std::size_t>(p) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<int> at(begin.begin(), begin.end() - 1);
    for (std::size_t s = 0; s < count; ++s) {
      order[static_cast<std::size_t>(at[static_cast<std::size_t>(above[s])]++)] =
          static_cast<int>(s);
    }
    std::iota(centres.begin(), centres.end(), 0);
    level.bounds.emplace(shell, order, begin, centres);
  }
  Eigen::AlignedBox3f box;
  for (Index s = 0; s < shell.point_count(); ++s) box.extend(shell.rest_position(s));
  centre_ = box.center();
  for (Index s = 0; s < shell.point_count(); ++s) {
    radius_ = std::max(radius_, (shell.rest_position(s) - centre_).norm() * 1.000001F);
  }
  if (shell.size() > 0) {
    std::iota(order.begin(), order.end(), 0);
    all_.emplace(shell, order, std::vector<int>{0, first_.back()});
  }
}

Index PointTree::byte_count() const {
  Index count = 0;
  for (const Level& level : levels_) {
    const auto nodes = static_cast<Index>(level.radius.size());
    count += 8 * nodes + (level.bounds ? level.bounds->byte_count() : 0);
  }
  return count;
}

}  // namespace pliant
