// SPDX-License-Identifier: MIT
// Which points of a shell are inside of a field: [Barbic07] 3.10.
//
// Level by level of the point tree. On each, the field's value of every node is looked up (once a
// point: copies have it already); a value below zero is a contact; and below a node whose ball the
// field calls clear nothing is looked at.
//
// Graceful degradation (3.10.3): a level that is begun is completed, so that the contacts are those
// of all points up to that level. The next one is begun if what it would bring the work to,
//
//   (V + V_q) + b (V_c + V_c / V V_q)        in nodes                                       (3.13)
//
// is at most `warm` for levels that were reached the last time, `cold` for a new one.
//   V     nodes visited so far             V_q  nodes of the next level
//   V_c   contacts so far                  b    what a contact costs, in nodes
//
// Temporal coherence (3.10.2): what is known of a node now holds for a while. Here the while is no
// number of cycles, which would need limits of all velocities and accelerations, but a way: every
// run adds to an odometer s how far any point of the shell can have come in the field since the
// last one,
//
//   ds = |dA m + dt| + |dA| (R + sum_j a_j |c_j|) + sum_j a_j |dc_j| + the field's own motion
//
//   A, t   from the shell's frame to the field's; dA, dt: their change; m, R: ball about the shell
//   a_j    largest displacement of any point by coefficient j: a_j |dc_j| is what it moved by at
//          the velocity c_j', whatever its acceleration was
//
// and a node whose ball could grow by w and still be clear is asleep until the odometer has gone
// that far: neither it nor what is below it can touch before. A jump, by a reset or an index, is a
// long way and wakes what it has to; forget() wakes all.
//
// A field F has  Pack values(Points) noexcept,  float clearance(float radius) noexcept  and  float
// clear_radius(float value) noexcept, as DistanceField; one that deforms also  double travel()
// noexcept,  an odometer of its own; one that depends on the points too, as of a body that meets
// itself, has  Pack values(Points, Index block) noexcept  instead, with the block of the shell.
#pragma once

#include <algorithm>
#include <limits>
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
  int warm = 1 << 30;  // V_W, nodes
  int cold = 1 << 30;  // V_C
  bool coherent = true;

  static constexpr float contact = 1.5F;  // b, [Barbic07] 3.10.3
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

  // The next run begins as the first: after another field, or other materials of this one.
  void forget() noexcept;

  // Contacts: points, ascending by level, and their values.
  std::span<const int> points() const { return {contacts_.data(), contact_count_}; }
  float distance(int point) const { return distance_[static_cast<std::size_t>(point)]; }
  int visited() const { return visited_; }  // nodes
  int asleep() const { return asleep_; }    // nodes that coherence has passed over
  int levels() const { return levels_; }    // completed
  float work() const {                      // as (3.13), in nodes
    return static_cast<float>(visited_) +
           TraversalBudget::contact * static_cast<float>(contact_count_);
  }

 private:
  // Adds the way since the last run.
  void travel(const PointTree& tree, const VectorXf& c, const ToField& to_field,
              double field) noexcept;
  // Looks up the points of a range that are awake, appends them to nodes_ and finds contacts.
  template <class Field>
  void look_up(PointTree::Children points, const std::vector<double>& wake,
               const LinearShape& shell, const VectorXf& c, const Field& field,
               const ToField& to_field) noexcept;
  // Whether (3.13) allows for another level.
  bool begins(int level, int queued, int reached, const TraversalBudget& budget) const noexcept;

  std::vector<float> distance_;  // of the points that were looked up in this run
  std::vector<int> nodes_, next_nodes_, contacts_;
  std::vector<PointTree::Children> ranges_;  // new points of the level under way
  std::size_t node_count_ = 0, contact_count_ = 0;
  int last_block_ = -1;
  int visited_ = 0, asleep_ = 0, levels_ = 0;

  std::vector<std::vector<double>> wake_;   // of each level's nodes: asleep until this odometer
  double odometer_ = 0.0, farthest_ = 0.0;  // [m]; the longest that a node may sleep
  ToField last_pose_;
  double last_field_ = std::numeric_limits<double>::quiet_NaN();  // its odometer; none before a run
  VectorXf last_c_, last_sizes_, change_;                         // last_sizes_: |c_j|
};

template <class Field>
void Traversal::look_up(PointTree::Children points, const std::vector<double>& wake,
                        const LinearShape& shell, const VectorXf& c, const Field& field,
                        const ToField& to_field) noexcept {
  constexpr int block_size = LinearShape::block_size;
  const Eigen::Matrix3f& A = to_field.rotation;
  const Eigen::Vector3f& t = to_field.translation;
  for (int begin = points.begin; begin < points.end;) {
    const int block = begin / block_size;
    const int end = std::min(points.end, (block + 1) * block_size);
    const std::size_t before = node_count_;
    for (int p = begin; p < end; ++p) {
      nodes_[node_count_] = p;
      node_count_ += wake[static_cast<std::size_t>(p)] <= odometer_ ? 1 : 0;
    }
    begin = end;
    if (node_count_ == before) continue;
    if (block != last_block_) {
      last_block_ = block;
      const auto [x, y, z] = shell.position_lanes(block, c);
      const simd::Pack3 places{A(0, 0) * x + A(0, 1) * y + A(0, 2) * z + t[0],
                               A(1, 0) * x + A(1, 1) * y + A(1, 2) * z + t[1],
                               A(2, 0) * x + A(2, 1) * y + A(2, 2) * z + t[2]};
      float* const out = distance_.data() + Index{block} * block_size;
      if constexpr (requires { field.values(places, Index{block}); }) {
        simd::store(out, field.values(places, Index{block}));
      } else {
        simd::store(out, field.values(places));
      }
    }
    for (std::size_t k = before; k < node_count_; ++k) {
      contacts_[contact_count_] = nodes_[k];
      contact_count_ += distance_[static_cast<std::size_t>(nodes_[k])] < 0.0F ? 1 : 0;
    }
  }
}

template <class Field>
void Traversal::run(const PointTree& tree, const LinearShape& shell, const VectorXf& c,
                    const Field& field, const ToField& to_field,
                    const TraversalBudget& budget) noexcept {
  if constexpr (requires { field.travel(); }) {
    travel(tree, c, to_field, field.travel());
  } else {
    travel(tree, c, to_field, 0.0);
  }
  if (!budget.coherent) odometer_ += farthest_;
  const float norm = last_sizes_.norm();
  const int reached = levels_;
  contact_count_ = 0;
  visited_ = asleep_ = levels_ = 0;
  std::size_t copies = 0, range_count = 1;
  int queued = tree.nodes(0);
  ranges_[0] = {0, queued};
  for (int level = 0; level < tree.levels(); ++level) {
    if (!begins(level, queued, reached, budget)) return;
    std::vector<double>& wake = wake_[static_cast<std::size_t>(level)];
    // Copies were looked up on a level before.
    node_count_ = 0;
    for (std::size_t k = 0; k < copies; ++k) {
      nodes_[node_count_] = next_nodes_[k];
      node_count_ += wake[static_cast<std::size_t>(next_nodes_[k])] <= odometer_ ? 1 : 0;
    }
    last_block_ = -1;
    for (std::size_t k = 0; k < range_count; ++k) {
      look_up(ranges_[k], wake, shell, c, field, to_field);
    }
    visited_ += static_cast<int>(node_count_);
    asleep_ += queued - static_cast<int>(node_count_);
    ++levels_;
    const bool last = level + 1 == tree.levels();
    copies = range_count = 0;
    queued = 0;
    for (std::size_t k = 0; k < node_count_; ++k) {
      const int p = nodes_[k];
      const auto at = static_cast<std::size_t>(p);
      const float clear = field.clear_radius(distance_[at]);
      const float radius = last ? 0.0F : tree.radius(level, p, last_sizes_, norm, clear);
      // Not a number: looked into, as nothing is known.
      const float spare = clear - radius;
      if (spare > 0) {
        wake[at] = odometer_ + std::min<double>(spare, farthest_);
        continue;
      }
      if (last) continue;
      next_nodes_[copies++] = p;
      const PointTree::Children below = tree.children(level, p);
      queued += 1 + below.end - below.begin;
      if (below.begin == below.end) continue;
      if (range_count > 0 && ranges_[range_count - 1].end == below.begin) {
        ranges_[range_count - 1].end = below.end;
      } else {
        ranges_[range_count++] = below;
      }
    }
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
