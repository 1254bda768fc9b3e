// SPDX-License-Identifier: MIT
// Where a body's frame is: x = rotation X + position.
#pragma once

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

struct Pose {
  Vector3d position = Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();

  Vector3d to_world(const Vector3d& X) const noexcept { return position + rotation * X; }
  Vector3d to_frame(const Vector3d& x) const noexcept {
    return rotation.conjugate() * (x - position);
  }
};

}  // namespace pliant
