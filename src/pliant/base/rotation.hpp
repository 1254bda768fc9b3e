// SPDX-License-Identifier: MIT
// Rotations and their vectors: a vector w turns by |w| rad about its direction.
#pragma once

#include <cmath>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

// exp(w~), w~ x = w x x
inline Eigen::Quaterniond rotation_by(const Vector3d& w) noexcept {
  const double angle = w.norm(), half = 0.5 * angle;
  const double s = angle > 1e-4 ? std::sin(half) / angle : 0.5 - angle * angle / 48.0;
  return Eigen::Quaterniond(std::cos(half), s * w[0], s * w[1], s * w[2]);
}

// The shortest w with rotation_by(w) = R, R of unit length.
inline Vector3d rotation_vector(const Eigen::Quaterniond& R) noexcept {
  const double c = std::abs(R.w()), s = R.vec().norm();
  // angle = 2 atan(s / c); near zero angle / s = 2 / c (1 - (s / c)^2 / 3).
  const double t = s / c;
  const double factor = s > 1e-4 ? 2.0 * std::atan2(s, c) / s : 2.0 / c * (1.0 - t * t / 3.0);
  return (R.w() < 0 ? -factor : factor) * R.vec();
}

// w~
inline Matrix3d cross_matrix(const Vector3d& w) noexcept {
  Matrix3d m;
  m << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return m;
}

}  // namespace pliant
