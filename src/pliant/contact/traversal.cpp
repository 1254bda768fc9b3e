// SPDX-License-Identifier: MIT
#include "pliant/contact/traversal.hpp"

#include <cmath>

namespace pliant {

Traversal::Traversal(Index points) {
  constexpr Index block = LinearShape::block_size;
  distance_.resize(static_cast<std::size_t>((points + block - 1) / block * block));
  contacts_.resize(static_cast<std::size_t>(points) + 1);
}

Traversal::Traversal(const PointTree& tree) : Traversal(Index{tree.point_count()}) {
  const auto points = static_cast<std::size_t>(tree.point_count());
  nodes_.resize(points + 1);
  next_nodes_.resize(points + 1);
  ranges_.resize(points + 1);
  wake_.resize(static_cast<std::size_t>(tree.levels()));
  for (int level = 0; level < tree.levels(); ++level) {
    wake_[static_cast<std::size_t>(level)].assign(static_cast<std::size_t>(tree.nodes(level)), 0.0);
  }
  // Once in some turns of the shell about itself; finite, so that forget() is a way too.
  farthest_ = 16.0 * static_cast<double>(tree.reach({}));
  last_c_.setZero(tree.size());
  last_sizes_.setZero(tree.size());
  change_.setZero(tree.size());
}

void Traversal::forget() noexcept {
  levels_ = 0;
  odometer_ += farthest_;
  last_field_ = std::numeric_limits<double>::quiet_NaN();
}

bool Traversal::begins(int level, int queued, int reached,
                       const TraversalBudget& budget) const noexcept {
  if (level == 0) return true;
  const float more = 1 + static_cast<float>(queued) / static_cast<float>(std::max(visited_, 1));
  return work() * more <= static_cast<float>(level < reached ? budget.warm : budget.cold);
}

void Traversal::travel(const PointTree& tree, const VectorXf& c, const ToField& to_field,
                       double field) noexcept {
  const Eigen::Matrix3f turned = to_field.rotation - last_pose_.rotation;
  const Eigen::Vector3f moved = to_field.translation - last_pose_.translation;
  change_ = last_c_;
  change_.head(c.size()) -= c;
  // The spectral norm of the difference of two rotations is 1/sqrt(2) of its Frobenius norm; what
  // either lacks of being a rotation by its roundings is allowed for.
  const float size = turned.norm();
  const float turn = size > 0 ? 0.7071068F * size + 5e-7F : size;
  const double way = static_cast<double>((turned * tree.centre() + moved).norm() +
                                         turn * tree.reach(c) + tree.moved(change_)) *
                         1.00001 +
                     std::abs(field - last_field_);
  last_pose_ = to_field;
  last_field_ = field;
  last_c_.setZero();
  last_c_.head(c.size()) = c;
  last_sizes_ = last_c_.cwiseAbs();
  // The first run, and whatever is not a number, wake all.
  odometer_ += way < farthest_ ? way : farthest_;
}

}  // namespace pliant
