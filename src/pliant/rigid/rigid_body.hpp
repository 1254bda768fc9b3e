// SPDX-License-Identifier: MIT
// A body that keeps its shape: x = p + R X. Fixed, moved from outside, or free. A free one is
// integrated by its centre of mass c, the velocity v of c and the angular momentum L about c:
//
//   c' = v      m v' = F - alpha m v      L' = T_c - alpha_t L      R' = R W~      I W = R^T L
//
//   m, I    mass and inertia about c, in the frame     a   c - p = R (c - p at rest), in the world
//   F, T    load, T about the frame's origin p         T_c = T - a x F      w = R W
//
// A load without tangent is constant in a step of dt (alpha = alpha_t = 0 here):
//
//   v1 = v0 + dt/m F          c1 = c0 + dt (v0 + v1) / 2
//   L1 = L0 + dt T_c          R1 = R0 exp(dt (W0 + W1)~ / 2),   I W1 = R1^T L1                (1)
//
// Without load, (1) keeps L and the energy to rounding, whatever the spin: with d = (W0 + W1) / 2
// it is  W1.I W1 - W0.I W0 = 2 d.(R1^T L - R0^T L) = 0,  as d is the axis of R0^T R1.
//
// A load with tangents K, D (shape/motion.hpp) acts as it is at the end of the step, by backward
// Euler on V = (v, w), M = diag(m, R0 I R0^T); then c and R move with the new velocities:
//
//   (M + dt D' + dt^2 K') dV = dt ((F, T_c) - dt K' V0)       K' = X^T K X,   X = (1 a~; 0 1)
//   c1 = c0 + dt v1,   R1 by (1) with L0 = L1
//
// So the energy of a body on linear springs does not grow, however stiff they are, and what is too
// fast for the step is damped out.
#pragma once

#include "pliant/base/pose.hpp"
#include "pliant/base/step_status.hpp"
#include "pliant/rigid/rigid_settings.hpp"
#include "pliant/shape/motion.hpp"

namespace pliant {

// Of a body of density 1, in its frame: tensors rigid/mass [1], rigid/centre [3], rigid/inertia
// [3, 3].
struct RigidInertia {
  double mass = 0.0;                    // kg, its volume in m^3
  Vector3d centre = Vector3d::Zero();   // of mass [m]
  Matrix3d inertia = Matrix3d::Zero();  // about the centre [kg m^2]
};

struct RigidModel {
  // Throws Error: a step that is not positive; of a free body, an inertia that no solid has.
  // `unit` counts for free bodies only.
  RigidModel(const RigidSettings& settings, const RigidInertia& unit, double dt);

  RigidMotion motion;
  double dt;
  double mass = 0.0;  // all of these of a free body only
  Vector3d centre = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero(), inverse_inertia = Matrix3d::Zero();
  double damping = 0.0, angular_damping = 0.0;
  Vector3d first_velocity = Vector3d::Zero(), first_angular_velocity = Vector3d::Zero();
  // In a step  v1 = kept v0 + reached F/m,  the solution for a constant F; likewise L.
  double kept = 1.0, reached = 0.0, angular_kept = 1.0, angular_reached = 0.0;
};

struct RigidState {
  // At rest, or with the first velocities.
  RigidState(const RigidModel& model, const Pose& pose) noexcept;

  Pose first;  // where it began
  Pose pose;
  Vector3d centre;            // c [m]
  Vector3d velocity;          // of c; of a kinematic body, of the frame's origin [m/s]
  Vector3d angular_momentum;  // L, in the world [kg m^2/s]
  Vector3d angular_velocity;  // w [rad/s]
  Pose target;                // of a kinematic body
  bool has_target = false;
};

// Back to where the state began.
void reset(const RigidModel& model, RigidState& state) noexcept;

// Sets the velocity of the centre and the angular velocity of a free body, in the world.
void set_velocities(const RigidModel& model, const Vector3d& velocity,
                    const Vector3d& angular_velocity, RigidState& state) noexcept;

// A kinematic body reaches the pose at the end of the next step, with the velocities that this
// takes. Returns false, and changes nothing, for another body or a pose that is not finite.
bool set_pose(const RigidModel& model, const Pose& pose, RigidState& state) noexcept;

// not_finite: nothing was done. not_definite: a tangent that is not positive semidefinite was left
// out. not_converged: it turns too far in a step for its rotation to be found; L is kept.
StepStatus step(const RigidModel& model, const Load& load, RigidState& state) noexcept;

}  // namespace pliant
