// SPDX-License-Identifier: MIT
// Force and torque as six numbers, and small motions likewise: (dx, dw), dw a rotation vector in the
// world.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

using Vector6d = Eigen::Matrix<double, 6, 1>;  // (force, torque) or (dx, dw)
using Matrix6d = Eigen::Matrix<double, 6, 6>;

inline Vector3d no_longer(const Vector3d& v, double limit) noexcept {
  const double size = v.norm();
  return size > limit ? Vector3d(limit / size * v) : v;
}

}  // namespace pliant
