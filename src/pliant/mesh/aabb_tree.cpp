// SPDX-License-Identifier: MIT
#include "pliant/mesh/aabb_tree.hpp"

#include <algorithm>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

// A box on its way into the tree. Moving it whole keeps the splits in contiguous memory.
struct Slot {
  Vector3d centre;
  int item;
};

// Orders the slots and notes the cuts: the same recursion as AabbTree::build.
void split(std::span<Slot> slots, int leaf_size) {
  if (slots.size() <= static_cast<std::size_t>(leaf_size)) return;
  Eigen::AlignedBox3d centres;
  for (const Slot& slot : slots) centres.extend(slot.centre);
  Index axis;
  centres.sizes().maxCoeff(&axis);
  const auto middle = slots.size() / 2;
  std::nth_element(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(middle), slots.end(),
                   [axis](const Slot& a, const Slot& b) {
                     return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis]
                                                             : a.item < b.item;
                   });
  split(slots.first(middle), leaf_size);
  split(slots.subspan(middle), leaf_size);
}

}  // namespace

AabbTree::AabbTree(std::span<const Box> boxes) {
  PLIANT_ASSERT(boxes.size() < static_cast<std::size_t>(std::numeric_limits<int>::max()),
                "items are counted by int");
  if (boxes.empty()) return;
  std::vector<Slot> slots(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    PLIANT_ASSERT(boxes[i].min().allFinite() && boxes[i].max().allFinite(), "boxes are finite");
    slots[i] = {boxes[i].isEmpty() ? Vector3d(Vector3d::Zero())
                                   : Vector3d(0.5 * boxes[i].min() + 0.5 * boxes[i].max()),
                static_cast<int>(i)};
  }
  split(slots, leaf_size);
  items_.reserve(boxes.size());
  boxes_.reserve(boxes.size());
  for (const Slot& slot : slots) {
    items_.push_back(slot.item);
    boxes_.push_back(boxes[static_cast<std::size_t>(slot.item)]);
  }
  nodes_.reserve(boxes.size());
  build(0, size());
}

int AabbTree::build(int begin, int end) {
  const auto n = nodes_.size();
  nodes_.push_back({.box = Box(), .begin = begin, .count = end - begin, .right = -1});
  Box box;
  if (end - begin <= leaf_size) {
    for (int slot = begin; slot < end; ++slot) box.extend(boxes_[static_cast<std::size_t>(slot)]);
  } else {
    const int middle = begin + (end - begin) / 2;
    const int left = build(begin, middle);
    const int right = build(middle, end);
    nodes_[n].right = right;
    box = nodes_[static_cast<std::size_t>(left)].box.merged(
        nodes_[static_cast<std::size_t>(right)].box);
  }
  nodes_[n].box = box;
  return static_cast<int>(n);
}

}  // namespace pliant
