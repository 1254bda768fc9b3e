// SPDX-License-Identifier: MIT
// A pointshell in levels as a tree of balls: the nested point tree of [Barbic07] 3.9.
//
// Level l of the tree has a node for every point of the shell's levels 0 .. l: the node of a point
// that an earlier level has is a copy of that one's. The children of a node are its copy on the next
// level and the new points of that level to which its point is the nearest. They are numbered one
// after the other, so that points that are looked at together lie together.
//
//   radius of a node at rest   R_0 = max |X_s - X_p| over the points s below it
//   deformed                   R_0 + DisplacementBounds of them: [Barbic07] (3.12)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/shape/displacement_bounds.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant {

class TensorView;
class TensorWriter;

// The shape of the tree; made by bake/nested_points.hpp, with the points in its order.
struct PointTreeData {
  std::vector<int> first;   // points of level l: first[l] .. first[l + 1] - 1
  std::vector<int> parent;  // of a point beyond level 0: the nearest of the levels before its own
};

class PointTree {
 public:
  // Throws Error: levels that do not ascend, a parent that is not of a level before, children that
  // are not numbered in the order of their parents.
  PointTree(PointTreeData data, const LinearShape& shell);

  int levels() const { return static_cast<int>(first_.size()) - 1; }
  int point_count() const { return first_.back(); }
  Index size() const { return size_; }  // r
  // Points up to a level: the nodes of the tree's level.
  int nodes(int level) const { return first_[static_cast<std::size_t>(level) + 1]; }
  int first(int level) const { return first_[static_cast<std::size_t>(level)]; }
  Index byte_count() const;

  // A ball about a place of the shell's frame that holds all points at rest.
  const Eigen::Vector3f& centre() const { return centre_; }
  // No point is farther from it than this, deformed by c.
  float reach(const VectorXf& c) const noexcept { return radius_ + moved(c); }
  // No point moves farther than this when the coefficients change by dc.
  float moved(const VectorXf& dc) const noexcept { return all_ ? (*all_)(0, dc) : 0.0F; }

  struct Children {
    int begin, end;
  };
  // New points of the next level below the node of point p; not its copy. Of all but the last level.
  Children children(int level, int p) const {
    const std::vector<int>& begin = levels_[static_cast<std::size_t>(level)].children;
    const auto at = static_cast<std::size_t>(p);
    return {begin[at], begin[at + 1]};
  }
  // Of the ball about the node's deformed point that holds all points below it; of all but the last
  // level. `c`: the shell's coefficients.
  float radius(int level, int p, const VectorXf& c) const noexcept {
    const Level& l = levels_[static_cast<std::size_t>(level)];
    const float rest = l.radius[static_cast<std::size_t>(p)];
    return l.bounds ? rest + (*l.bounds)(p, c) : rest;
  }
  // The same of many nodes, with |c_j| and |c|; no less than at rest where that is `enough`.
  float radius(int level, int p, const VectorXf& sizes, float norm, float enough) const noexcept {
    const Level& l = levels_[static_cast<std::size_t>(level)];
    const float rest = l.radius[static_cast<std::size_t>(p)];
    return l.bounds && !(rest >= enough) ? rest + (*l.bounds)(p, sizes, norm) : rest;
  }

 private:
  struct Level {
    std::vector<int> children;
    std::vector<float> radius;
    std::optional<DisplacementBounds> bounds;  // none of a rigid shell
  };
  std::vector<int> first_;
  std::vector<Level> levels_;  // all but the last
  Eigen::Vector3f centre_ = Eigen::Vector3f::Zero();
  float radius_ = 0.0F;
  Index size_ = 0;
  std::optional<DisplacementBounds> all_;  // none of a rigid shell
};

}  // namespace pliant
