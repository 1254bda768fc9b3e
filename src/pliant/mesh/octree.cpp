// SPDX-License-Identifier: MIT
#include "pliant/mesh/octree.hpp"

#include <cmath>

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {

Octree::Octree(const Vector3d& origin, double side, int depth)
    : origin_(origin), side_(side), depth_(depth) {
  PLIANT_ASSERT(depth >= 0 && depth <= max_depth, "the depth of an octree is 0 .. max_depth");
  PLIANT_ASSERT(side > 0 && std::isfinite(side) && origin.allFinite(), "a cube has a finite side");
  nodes_.push_back({Vector3i::Zero(), 0, -1, -1});
}

Eigen::AlignedBox3d Octree::box(int n) const {
  return {position(node(n).corner), position(node(n).corner + Vector3i::Constant(cells(n)))};
}

int Octree::split(int leaf) {
  PLIANT_ASSERT(node(leaf).leaf() && node(leaf).level < depth_, "only a coarse leaf can be split");
  const Node parent = node(leaf);
  const int half = cells(leaf) / 2;
  const int first = node_count();
  nodes_[static_cast<std::size_t>(leaf)].first_child = first;
  for (int i = 0; i < 8; ++i) {
    const Vector3i upper(i & 1, i >> 1 & 1, i >> 2 & 1);
    nodes_.push_back({parent.corner + half * upper, parent.level + 1, leaf, -1});
  }
  return first;
}

void Octree::refine(const std::function<bool(int)>& wanted) {
  std::vector<int> front;
  for (const int n : leaves()) {
    if (node(n).level < depth_) front.push_back(n);
  }
  std::vector<char> chosen;
  while (!front.empty()) {
    chosen.assign(front.size(), 0);
    parallel_for(front.size(), 64, [&](std::size_t i) { chosen[i] = wanted(front[i]); });
    std::vector<int> next;
    for (std::size_t i = 0; i < front.size(); ++i) {
      if (!chosen[i]) continue;
      const int first = split(front[i]);
      if (node(first).level == depth_) continue;
      for (int k = 0; k < 8; ++k) next.push_back(first + k);
    }
    front = std::move(next);
  }
}

void Octree::refine_to_size(const std::function<double(int)>& size_at) {
  refine([&](int n) { return size(n) > size_at(n) * (1 + 1e-12); });
}

// From the finest level up: a node of level l with children asks that what touches it has at least
// level l. What is split for that is of a coarser level, so that it is looked at in its turn.
void Octree::balance() {
  std::vector<std::vector<int>> by_level(static_cast<std::size_t>(depth_) + 1);
  for (int n = 0; n < node_count(); ++n) {
    if (!node(n).leaf()) by_level[static_cast<std::size_t>(node(n).level)].push_back(n);
  }
  for (int level = depth_; level-- > 1;) {
    for (const int parent : by_level[static_cast<std::size_t>(level)]) {
      const Vector3i corner = node(parent).corner;
      const int step = cells(parent);
      for (int i = 0; i < 27; ++i) {
        const Vector3i direction(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        const Vector3i place = corner + step * direction;
        int n = find(place, level);
        while (n >= 0 && node(n).level < level) {
          split(n);
          by_level[static_cast<std::size_t>(node(n).level)].push_back(n);
          n = find(place, level);
        }
      }
    }
  }
}

int Octree::find(const Vector3i& cell, int level) const {
  if ((cell.array() < 0).any() || (cell.array() >= resolution()).any()) return -1;
  int n = 0;
  for (int bit = depth_ - 1; !node(n).leaf() && node(n).level < level; --bit) {
    n = node(n).first_child + (cell[0] >> bit & 1) + 2 * (cell[1] >> bit & 1) +
        4 * (cell[2] >> bit & 1);
  }
  return n;
}

int Octree::leaf_at(const Vector3d& point) const {
  const Vector3d cell = ((point - origin_) / finest_size()).array().floor();
  if (!((cell.array() >= 0).all() && (cell.array() < resolution()).all())) return -1;
  return find(cell.cast<int>());
}

int Octree::neighbour(int n, const Vector3i& direction) const {
  return find(node(n).corner + cells(n) * direction, node(n).level);
}

std::array<int, 8> Octree::leaves_around(const Vector3i& point) const {
  std::array<int, 8> around;
  for (int i = 0; i < 8; ++i) {
    const Vector3i lower(1 - (i & 1), 1 - (i >> 1 & 1), 1 - (i >> 2 & 1));
    around[static_cast<std::size_t>(i)] = find(point - lower);
  }
  return around;
}

std::vector<int> Octree::leaves() const {
  std::vector<int> result, stack{0};
  while (!stack.empty()) {
    const int n = stack.back();
    stack.pop_back();
    if (node(n).leaf()) {
      result.push_back(n);
    } else {
      for (int i = 8; i-- > 0;) stack.push_back(node(n).first_child + i);
    }
  }
  return result;
}

}  // namespace pliant
