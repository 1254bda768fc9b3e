// SPDX-License-Identifier: MIT
// Rigid bodies and springs for the tests.
#pragma once

#include <Eigen/Geometry>

#include "pliant/base/rotation.hpp"
#include "pliant/rigid/rigid_body.hpp"
#include "pliant/rigid/rigid_engine.hpp"

namespace pliant::test {

constexpr double dt = 1e-3;

inline Motion seen(const RigidModel& model, const RigidState& state) {
  Motion motion(0);
  RigidEngine::motion(model, state, motion);
  return motion;
}

// A box of density 1; `centre`: of it, in the frame.
inline RigidInertia box_inertia(const Vector3d& sides, const Vector3d& centre = Vector3d::Zero()) {
  RigidInertia unit{sides.prod(), centre, Matrix3d::Zero()};
  const Vector3d s = sides.cwiseAbs2();
  unit.inertia.diagonal() << s[1] + s[2], s[2] + s[0], s[0] + s[1];
  unit.inertia *= unit.mass / 12;
  return unit;
}

// A wooden brick whose frame is off its centre.
inline RigidModel brick(RigidSettings settings = {}, double step = dt) {
  settings.motion = RigidMotion::free;
  if (!settings.mass) settings.density = 700;
  return RigidModel(settings, box_inertia({0.06, 0.1, 0.2}, {0.02, -0.01, 0.05}), step);
}

inline Pose tilted() {
  return {Vector3d(0.3, 1.0, -0.2), rotation_by(Vector3d(0.4, -0.7, 1.1))};
}

inline double kinetic(const RigidModel& model, const RigidState& state) {
  return RigidEngine::energy(model, state).kinetic;
}

// A spring from a point X of the body to a place in the world, with a damper.
struct Spring {
  Vector3d X, target;
  double stiffness, damping = 0.0;

  Vector3d stretch(const RigidState& s) const { return s.pose.to_world(X) - target; }
  double energy(const RigidState& s) const { return 0.5 * stiffness * stretch(s).squaredNorm(); }

  // Its force, and with `tangent` how it changes: the point's velocity is J (v, w), J = (1, -r~).
  void add(const RigidModel& model, const RigidState& s, bool tangent, Load& load) const {
    Motion motion(0);
    RigidEngine::motion(model, s, motion);
    const Vector3d r = s.pose.rotation * X;
    const Vector3d velocity = motion.velocity + motion.angular_velocity.cross(r);
    const Vector3d force = -stiffness * stretch(s) - damping * velocity;
    load.force += force;
    load.torque += r.cross(force);
    if (!tangent) return;
    Eigen::Matrix<double, 3, 6> J;
    J << Matrix3d::Identity(), -cross_matrix(r);
    load.tangent.used = true;
    load.tangent.K += stiffness * J.transpose() * J;
    load.tangent.D += damping * J.transpose() * J;
  }
};

}  // namespace pliant::test
