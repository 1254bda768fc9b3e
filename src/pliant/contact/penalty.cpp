// SPDX-License-Identifier: MIT
#include "pliant/contact/penalty.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr int together = 64;  // contacts, on the stack

double smooth_step(double t) noexcept {
  return t >= 1 ? 1 : t * t * (3 - 2 * t);
}

double scale_of(const PenaltySpec& spec, const Traversal& found,
                std::span<const float> weights) noexcept {
  double count = 0;
  for (const int p : found.points()) {
    const double share =
        spec.full_depth > 0 ? smooth_step(static_cast<double>(-found.distance(p)) / spec.full_depth)
                            : 1;
    count +=
        weights.empty() ? share : share * static_cast<double>(weights[static_cast<std::size_t>(p)]);
  }
  return count > spec.limit ? spec.limit / count : 1;
}

}  // namespace

PenaltySum add_penalty(const PenaltySpec& spec, const Traversal& found, const PointSet& shell,
                       const Motion& shell_motion, const Motion& field_motion,
                       std::span<const float> weights, Load& on_shell, Load& on_field,
                       std::span<ContactPoint> report) noexcept {
  PenaltySum sum;
  sum.scale = scale_of(spec, found, weights);
  const std::span<const int> points = found.points();
  sum.contacts = static_cast<int>(points.size());
  using Columns = Eigen::Matrix<double, 3, together>;
  Columns x, v, n, f;
  for (std::size_t begin = 0; begin < points.size(); begin += together) {
    const auto count = static_cast<Index>(std::min<std::size_t>(together, points.size() - begin));
    const std::span<const int> s = points.subspan(begin, static_cast<std::size_t>(count));
    shell.positions(shell_motion, s, x);
    shell.normals(shell_motion, s, n);
    if (spec.damping > 0) shell.velocities(shell_motion, s, v);
    for (Index k = 0; k < count; ++k) {
      const int p = s[static_cast<std::size_t>(k)];
      const double depth = -static_cast<double>(found.distance(p));
      double size = sum.scale * spec.stiffness * depth;
      if (!weights.empty()) size *= static_cast<double>(weights[static_cast<std::size_t>(p)]);
      if (spec.damping > 0) {
        const Vector3d arm = x.col(k) - field_motion.pose.position;
        const Vector3d against =
            v.col(k) - field_motion.velocity - field_motion.angular_velocity.cross(arm);
        size *= std::max(0.0, 1 - spec.damping * against.dot(n.col(k)));
      }
      f.col(k) = size * n.col(k);
      sum.force += f.col(k);
      sum.torque += x.col(k).cross(f.col(k));
      sum.deepest = std::max(sum.deepest, depth);
      const std::size_t at = begin + static_cast<std::size_t>(k);
      if (at < report.size()) report[at] = {p, x.col(k), n.col(k), f.col(k), depth};
    }
    shell.add_forces(shell_motion, s, f.leftCols(count), on_shell);
  }
  on_field.force -= sum.force;
  on_field.torque -= sum.torque - field_motion.pose.position.cross(sum.force);
  return sum;
}

}  // namespace pliant
