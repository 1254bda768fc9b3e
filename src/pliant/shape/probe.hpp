// SPDX-License-Identifier: MIT
// Something rigid that presses on a body whose engine solves for the contact itself, as the world and
// that engine speak of it: where it is, and what came of it.
#pragma once

#include <vector>

#include "pliant/shape/obstacle.hpp"

namespace pliant {

struct Probe {
  using Matrix6d = Obstacle::Matrix6d;

  // As an Obstacle's.
  void (*sample)(const void* field, const Obstacle::Points& x, Eigen::Matrix<float, 8, 1>& distance,
                 Obstacle::Points& gradient) noexcept = nullptr;
  const void* field = nullptr;
  Pose pose;          // in the world
  bool near = false;  // otherwise it cannot touch, and is not looked at

  // On it, in the world, about its origin [N], [N m]; and how that changes while it moves by
  // (dx, dw) and all that touches stays so: (F, T) - K (dx, dw), K symmetric, semidefinite.
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  Matrix6d stiffness = Matrix6d::Zero();
};

// All that presses on one body; `reactions` has room for as many as the engine may tell of, and their
// obstacles are places in `probes`.
struct Pressing {
  std::vector<Probe> probes;
  std::vector<NodeReaction> reactions;
};

}  // namespace pliant
