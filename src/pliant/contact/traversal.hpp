// SPDX-License-Identifier: MIT
// Which points of a shell are inside of a field: [Barbic07] 3.10.1 and 3.10.3.
//
// Level by level of the point tree. On each, the field's value of every node is looked up (once a
// point: copies have it already); a value below zero is a contact; and below a node whose ball the
// field calls clear nothing is looked at. Whether the next level is begun depends on how many nodes
// were visited so far: fewer than `warm` for levels that were reached the last time, fewer than
// `cold` for a new one. A level that is begun is completed, so that the contacts are those of all
// points up to that level.
//
// A field F has  Pack values(Points) noexcept  and  float clearance(float radius) noexcept, as
// DistanceField.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "pliant/contact/distance_field.hpp"
#include "pliant/contact/point_tree.hpp"

namespace pliant {

// From the shell's frame to the field's.
struct ToField {
  Eigen::Matrix3f rotation = Eigen::Matrix3f::Identity();
  Eigen::Vector3f translation = Eigen::Vector3f::Zero();
};

struct TraversalBudget {
  int warm = 1 << 30;  // nodes
  int cold = 1 << 30;
};

// Memory for a shell, and what was found in the last run. Nothing is allocated after construction.
class Traversal {
 public:
  explicit Traversal(const PointTree& tree);
  // Without a tree: for run_all() alone.
  explicit Traversal(Index points);

  template <class Field>
  void run(const PointTree& tree, const LinearShape& shell, const VectorXf& c, const Field& field,
           const ToField& to_field, const TraversalBudget& budget = {}) noexcept;
  // Of points that no tree holds, as those of a body whose nodes all move: every one is looked up.
  // `places`: in the shell's frame.
  template <class Field>
  void run_all(const Matrix3Xf& places, const Field& field, const ToField& to_field) noexcept;

  // The next run begins as the first.
  void forget() noexcept { levels_ = 0; }

  // Contacts: points, ascending by level, and their values.
  std::span<const int> points() const { return {contacts_.data(), contact_count_}; }
  float distance(int point) const { return distance_[static_cast<std::size_t>(point)]; }
  int visited() const { return visited_; }  // nodes
  int levels() const { return levels_; }    // completed

 private:
  template <class Field>
  void look_up(PointTree::Children points, const LinearShape& shell, const VectorXf& c,
               const Field& field, const ToField& to_field) noexcept;

  std::vector<float> distance_;  // of the points that were looked up in this run
  std::vector<int> nodes_, next_nodes_, contacts_;
  std::vector<PointTree::Children> ranges_;  // new points of the level under way
  std::size_t contact_count_ = 0;
  int last_block_ = -1;
  int visited_ = 0, levels_ = 0;
};

template <class Field>
void Traversal::look_up(PointTree::Children points, const LinearShape& shell, const VectorXf& c,
                        const Field& field, const ToField& to_field) noexcept {
  constexpr int block_size = LinearShape::block_size;
  const Eigen::Matrix3f& A = to_field.rotation;
  const Eigen::Vector3f& t = to_field.translation;
  for (int block = points.begin / block_size; block <= (points.end - 1) / block_size; ++block) {
    if (block == last_block_) continue;
    last_block_ = block;
    const auto [x, y, z] = shell.position_lanes(block, c);
    const simd::Pack<float> d = field.values({A(0, 0) * x + A(0, 1) * y + A(0, 2) * z + t[0],
                                              A(1, 0) * x + A(1, 1) * y + A(1, 2) * z + t[1],
                                              A(2, 0) * x + A(2, 1) * y + A(2, 2) * z + t[2]});
    simd::store(distance_.data() + Index{block} * block_size, d);
  }
  for (int p = points.begin; p < points.end; ++p) {
    contacts_[contact_count_] = p;
    contact_count_ += distance_[static_cast<std::size_t>(p)] < 0.0F ? 1 : 0;
  }
}

template <class Field>
void Traversal::run(const PointTree& tree, const LinearShape& shell, const VectorXf& c,
                    const Field& field, const ToField& to_field,
                    const TraversalBudget& budget) noexcept {
  const int reached = levels_;
  contact_count_ = 0;
  visited_ = levels_ = 0;
  std::size_t copies = 0, range_count = 1;
  ranges_[0] = {0, tree.nodes(0)};
  for (int level = 0; level < tree.levels(); ++level) {
    const int most = level < reached ? budget.warm : budget.cold;
    if (level > 0 && visited_ >= most) return;
    last_block_ = -1;
    std::size_t count = copies;
    for (std::size_t k = 0; k < range_count; ++k) {
      look_up(ranges_[k], shell, c, field, to_field);
      for (int p = ranges_[k].begin; p < ranges_[k].end; ++p) nodes_[count++] = p;
    }
    visited_ += static_cast<int>(count);
    ++levels_;
    if (level + 1 == tree.levels()) return;
    copies = range_count = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const int p = nodes_[k];
      // Not a number: looked into, as nothing is known.
      if (distance_[static_cast<std::size_t>(p)] > field.clearance(tree.radius(level, p, c))) {
        continue;
      }
      next_nodes_[copies++] = p;
      const PointTree::Children below = tree.children(level, p);
      if (below.begin == below.end) continue;
      if (range_count > 0 && ranges_[range_count - 1].end == below.begin) {
        ranges_[range_count - 1].end = below.end;
      } else {
        ranges_[range_count++] = below;
      }
    }
    nodes_.swap(next_nodes_);
  }
}

template <class Field>
void Traversal::run_all(const Matrix3Xf& places, const Field& field,
                        const ToField& to_field) noexcept {
  constexpr Index block_size = LinearShape::block_size;
  const Eigen::Matrix3f& A = to_field.rotation;
  const Index count = places.cols();
  Eigen::Matrix<float, 3, block_size> X;
  contact_count_ = 0;
  for (Index first = 0; first < count; first += block_size) {
    const Index own = std::min(block_size, count - first);
    X.colwise() = places.col(first);
    X.leftCols(own) = places.middleCols(first, own);
    X = ((A * X).colwise() + to_field.translation).eval();
    simd::Pack3 x;
    for (int k = 0; k < block_size; ++k) {
      x.x[k] = X(0, k);
      x.y[k] = X(1, k);
      x.z[k] = X(2, k);
    }
    simd::store(distance_.data() + first, field.values(x));
    for (Index p = first; p < first + own; ++p) {
      contacts_[contact_count_] = static_cast<int>(p);
      contact_count_ += distance_[static_cast<std::size_t>(p)] < 0.0F ? 1 : 0;
    }
  }
  visited_ = static_cast<int>(count);
  levels_ = 1;
}

}  // namespace pliant
