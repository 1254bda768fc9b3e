// SPDX-License-Identifier: MIT
// Collisions as constraints, as the world and an engine that takes them speak of them: what a body
// must not enter, the bodies that step together, and what came of it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/base/step_status.hpp"
#include "pliant/shape/motion.hpp"

namespace pliant {

// Something rigid: where it is and how it moves, which goes on while a step is made, and how it
// yields. An impulse of a contact counts by half at once and by half in the part of a step that
// follows, as accelerations do in central differences.
struct Obstacle {
  using Points = Eigen::Matrix<float, 3, 8>;
  using Vector6d = Eigen::Matrix<double, 6, 1>;
  using Matrix6d = Eigen::Matrix<double, 6, 6>;

  // Signed distances [m] of eight points and their gradients, in the obstacle's frame.
  void (*sample)(const void* field, const Points& x, Eigen::Matrix<float, 8, 1>& distance,
                 Points& gradient) noexcept = nullptr;
  const void* field = nullptr;

  Pose pose;
  Vector6d twist = Vector6d::Zero();     // velocity of the frame's origin, angular velocity
  Matrix6d mobility = Matrix6d::Zero();  // twist by an impulse (about the origin); 0: none moves it
  Vector6d pending = Vector6d::Zero();   // impulse that will count in the next part
  Vector6d impulse = Vector6d::Zero();   // that counted in this step [N s], [N m s]

  Vector3d velocity_at(const Vector3d& x) const noexcept {
    return twist.head<3>() + twist.tail<3>().cross(x - pose.position);
  }
};

// What a node of a body got in a step, as the mean force.
struct NodeReaction {
  int node = -1;
  int obstacle = -1, body = -1;  // from one of them
  Vector3d place = Vector3d::Zero();
  Vector3d normal = Vector3d::Zero();  // into the node's body
  Vector3d force = Vector3d::Zero();   // on the node [N]
  double depth = 0.0;                  // at the end of the step [m]
};

// Where a node that friction holds belongs: a place of an obstacle's frame, or of a triangle of
// another body. Kept from part to part of the steps, as a node that rests is not in contact in every
// one of them.
struct NodeAnchor {
  int obstacle = -1, body = -1;
  Vector3d place = Vector3d::Zero();   // or barycentric weights
  std::array<int, 3> triangle{};       // nodes of the other body
  Vector3d offset = Vector3d::Zero();  // from the place on the triangle [m]
  std::int64_t part = 0;               // in which it last was in contact
  double approach = 0.0;               // the largest of late with which it came in [m/s]

  static constexpr std::int64_t patience = 64;  // parts without contact
};

// One of the bodies that step together.
struct CollidingBody {
  const void* model = nullptr;  // of the engine
  void* state = nullptr;
  const Load* load = nullptr;
  StepStatus status = StepStatus::ok;
  std::vector<NodeReaction> reactions;
  std::vector<NodeAnchor> anchors;  // of its nodes; empty before the first step
};

struct Collisions {
  std::vector<CollidingBody> bodies;
  std::vector<Obstacle> obstacles;
  // Coulomb's mu of body i and obstacle or body j; below zero: they do not meet.
  MatrixXd with_obstacles, with_bodies;
  std::int64_t parts = 0;  // of steps, made so far
};

}  // namespace pliant
