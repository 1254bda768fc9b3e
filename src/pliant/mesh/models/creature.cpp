// SPDX-License-Identifier: MIT
#include "pliant/mesh/models/creature.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace pliant::model {
namespace {

struct Frame {
  Vector3d x, along, up, side;
  double radius;
};

// Of the back at u from 0 to 1 along the spine.
Frame frame_at(const Path& spine, double u) {
  const double t = std::clamp(u, 0.0, 1.0) * static_cast<double>(spine.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(t), spine.size() - 2);
  const double w = t - static_cast<double>(i);
  const Vector4d p = (1 - w) * spine[i] + w * spine[i + 1];
  const Vector3d along = (spine[i + 1] - spine[i]).head<3>().normalized();
  const Vector3d side = along.cross(Vector3d::UnitY()).normalized();
  return {p.head<3>(), along, side.cross(along), side, p[3]};
}

Vector4d ball_at(const Vector3d& x, double r) {
  return {x[0], x[1], x[2], r};
}

}  // namespace

void add_spines(Blend& blend, const Path& spine, const Spines& s) {
  for (int k = 0; k < s.count; ++k) {
    const Frame f = frame_at(spine, s.first + (s.last - s.first) * k / (s.count - 1));
    const Vector3d out = std::cos(s.angle) * f.up + std::sin(s.angle) * f.side;
    const double h = std::min(s.height * f.radius + 0.006, s.most);
    const Vector3d root = f.x + 0.9 * f.radius * out;
    const Vector3d tip = f.x + (f.radius + h) * out - s.lean * h * f.along;
    blend.add(limb({ball_at(root, 0.32 * h + 0.003), ball_at(tip, 0.003)}));
  }
}

void add_bumps(Blend& blend, const Path& spine, int count, Random& random) {
  for (int k = 0; k < count; ++k) {
    // Even along the spine, anywhere around the back.
    const Frame f = frame_at(spine, 0.15 + 0.75 * (k + random.uniform()) / count);
    const double a = random.uniform(0.25, 1.25) * (random.uniform() < 0.5 ? -1 : 1);
    const double r = f.radius * random.uniform(0.03, 0.075) + 0.0035;
    blend.add(ball(f.x + f.radius * (std::cos(a) * f.up + std::sin(a) * f.side), r));
  }
}

}  // namespace pliant::model
