// SPDX-License-Identifier: MIT
// A rigid shape that moves: its distance field, and the velocity of its points.
#pragma once

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

struct RigidShape {
  enum class Kind { plane, sphere, capsule, box, cylinder, torus };
  Kind kind = Kind::plane;
  Vector3d position = Vector3d::Zero();          // of its centre; of any point of a plane [m]
  Matrix3d rotation = Matrix3d::Identity();      // columns: its axes
  Vector3d size = Vector3d::Ones();              // sphere: radius; capsule, cylinder: radius, half
                                                 // length along z; box: half sides; torus: radii of
                                                 // ring, about z, and tube; plane: none, normal z
  Vector3d velocity = Vector3d::Zero();          // m/s
  Vector3d angular_velocity = Vector3d::Zero();  // rad/s

  // Signed distance of x [m], negative inside, and the outward unit normal there.
  double distance(const Vector3d& x, Vector3d& normal) const noexcept;
  Vector3d velocity_at(const Vector3d& x) const noexcept {
    return velocity + angular_velocity.cross(x - position);
  }
};

}  // namespace pliant
