// SPDX-License-Identifier: MIT
// A binary tree of axis-aligned boxes over items 0 .. n-1 (triangles, elements, points) that only
// knows the items' boxes; what an item is, the caller's functions know.
//
// Built by median splits of the box centres along their longest side: depth at most
// ceil(log2(n / leaf size)), and the same tree for the same boxes. Nodes lie in depth-first order,
// 64 bytes each: the left child follows its parent.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

class AabbTree {
 public:
  using Box = Eigen::AlignedBox3d;

  AabbTree() = default;
  // Boxes must be finite. An empty box is allowed; its item is never found.
  explicit AabbTree(std::span<const Box> boxes);

  int size() const { return static_cast<int>(items_.size()); }
  // Box of everything; empty for a tree without items.
  Box bounds() const { return nodes_.empty() ? Box() : nodes_[0].box; }

  // Calls visit(item) for the items whose box satisfies enter(box). enter must hold for a box
  // whenever it holds for one inside of it.
  template <class Enter, class Visit>
  void traverse(const Enter& enter, const Visit& visit) const {
    for_leaves(enter, [&](int slot) {
      if (enter(boxes_[static_cast<std::size_t>(slot)])) {
        visit(items_[static_cast<std::size_t>(slot)]);
      }
    });
  }

  // Calls visit(item) for the items whose box meets `query` (touching counts).
  template <class Visit>
  void overlaps(const Box& query, const Visit& visit) const {
    traverse([&](const Box& box) { return box.intersects(query); }, visit);
  }

  // Calls visit(item) for the items whose box holds p (its boundary counts).
  template <class Visit>
  void containing(const Vector3d& p, const Visit& visit) const {
    traverse([&](const Box& box) { return box.contains(p); }, visit);
  }

  struct Nearest {
    int item = -1;  // -1: none nearer than the bound
    double squared_distance = std::numeric_limits<double>::infinity();
  };

  // The item of least squared_distance(item), among those below `bound`. squared_distance is the
  // squared distance of p to the item (or anything that is not less than that to its box).
  template <class SquaredDistance>
  Nearest nearest(const Vector3d& p, const SquaredDistance& squared_distance,
                  double bound = std::numeric_limits<double>::infinity()) const {
    Nearest best{-1, bound};
    if (nodes_.empty()) return best;
    struct Entry {
      int node;
      double d;
    };
    std::array<Entry, max_depth> stack;
    int top = 0;
    stack[static_cast<std::size_t>(top++)] = {0, nodes_[0].box.squaredExteriorDistance(p)};
    while (top > 0) {
      const Entry entry = stack[static_cast<std::size_t>(--top)];
      if (!(entry.d < best.squared_distance)) continue;
      const Node& node = nodes_[static_cast<std::size_t>(entry.node)];
      if (node.right < 0) {
        for (int slot = node.begin; slot < node.end(); ++slot) {
          const auto s = static_cast<std::size_t>(slot);
          if (!(boxes_[s].squaredExteriorDistance(p) < best.squared_distance)) continue;
          const double d = squared_distance(items_[s]);
          if (d < best.squared_distance) best = {items_[s], d};
        }
        continue;
      }
      Entry near{entry.node + 1, 0}, far{node.right, 0};
      near.d = nodes_[static_cast<std::size_t>(near.node)].box.squaredExteriorDistance(p);
      far.d = nodes_[static_cast<std::size_t>(far.node)].box.squaredExteriorDistance(p);
      if (far.d < near.d) std::swap(near, far);
      stack[static_cast<std::size_t>(top++)] = far;
      stack[static_cast<std::size_t>(top++)] = near;
    }
    return best;
  }

 private:
  static constexpr int leaf_size = 4;
  static constexpr int max_depth = 64;  // of the stack; a tree of 2^31 items needs 31

  struct Node {
    Box box;
    int begin = 0, count = 0;  // slots of the items below
    int right = -1;            // right child; -1: a leaf
    int end() const { return begin + count; }
  };

  template <class Enter, class Leaf>
  void for_leaves(const Enter& enter, const Leaf& leaf) const {
    if (nodes_.empty() || !enter(nodes_[0].box)) return;
    std::array<int, max_depth> stack;
    int top = 0;
    stack[static_cast<std::size_t>(top++)] = 0;
    while (top > 0) {
      const int n = stack[static_cast<std::size_t>(--top)];
      const Node& node = nodes_[static_cast<std::size_t>(n)];
      if (node.right < 0) {
        for (int slot = node.begin; slot < node.end(); ++slot) leaf(slot);
        continue;
      }
      for (const int child : {node.right, n + 1}) {
        if (enter(nodes_[static_cast<std::size_t>(child)].box)) {
          stack[static_cast<std::size_t>(top++)] = child;
        }
      }
    }
  }

  int build(int begin, int end);

  std::vector<Node> nodes_;
  std::vector<int> items_;  // of each slot
  std::vector<Box> boxes_;  // of each slot
};

}  // namespace pliant
