// SPDX-License-Identifier: MIT
// A body that does not deform, and stands where its pose says.
#pragma once

#include <limits>

#include "pliant/asset/asset.hpp"
#include "pliant/world/world_body.hpp"

namespace pliant {

class RigidBody {
 public:
  // Throws Error if the asset lacks its surface.
  RigidBody(const TensorFile& asset, const AssetBody& body)
      : pose_(body.pose),
        X_(asset.matrix<float>(body.tensor("shape/X"), 3)),
        N_(asset.matrix<float>(body.tensor("shape/N"), 3)) {}

  int point_count() const { return static_cast<int>(X_.cols()); }
  Vector3d position(int point) const noexcept {
    return pose_.position + pose_.rotation * X_.col(point).cast<double>();
  }
  Vector3d velocity(int) const noexcept { return Vector3d::Zero(); }
  Vector3d normal(int point) const noexcept {
    return pose_.rotation * N_.col(point).cast<double>();
  }
  double effective_mass(int) const noexcept { return std::numeric_limits<double>::infinity(); }

  void clear_forces() noexcept {}
  void add_gravity(const Vector3d&) noexcept {}
  void add_force(int, const Vector3d&) noexcept {}
  bool hold(int, double, const Vector3d&) noexcept { return false; }
  void add_slow_force(int, const Vector3d&) noexcept {}
  void renew_slow_forces() noexcept {}
  StepStatus step() noexcept { return StepStatus::ok; }
  void reset() noexcept {}
  void write(BodyState& state) const noexcept {
    state.position = pose_.position;
    state.rotation = pose_.rotation;
  }

  bool set_material(int, double, double, double) noexcept { return false; }
  bool set_damping(const Damping&) noexcept { return false; }
  bool set_active(int) noexcept { return false; }
  bool set_linear(bool) noexcept { return false; }

 private:
  PoseSpec pose_;
  Eigen::Matrix3Xf X_, N_;
};
static_assert(WorldBody<RigidBody>);

}  // namespace pliant
