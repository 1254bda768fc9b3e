// SPDX-License-Identifier: MIT
// An object that a hand holds by a spring and a damper, with mass: dynamic virtual coupling,
// [Barbic07] 3.1.1, after VPS.
//
//   m v' = F_VC + F_C + d (v_m - v)        J w' + w x J w = T_VC + T_C + d_T (w_m - w)
//
// in sub-steps of dt / n, by semi-implicit Euler with the dampers taken implicitly; the contact's
// force is that at the beginning of the cycle, moved along by its gradient:
//
//   F_C(x + z) = F_C + G z
//
// The hand feels no more than what touches the object: in free space nothing, neither the inertia of
// the object nor the damper.
#pragma once

#include "pliant/haptics/static_coupling.hpp"

namespace pliant {

struct DynamicCouplingSpec {
  CouplingSpring spring;
  double mass = 0.05;          // m [kg]
  double inertia = 5e-5;       // J, the same about all axes [kg m^2]
  double damping_ratio = 1.0;  // of spring and damper: 1 is critical
  int sub_steps = 10;
  double most_speed = 0.6, most_turning = 6.3;     // m/s, rad/s
  double device_force = 8.5, device_torque = 0.5;  // N, N m
};

class DynamicCoupling {
 public:
  // Throws Error: a number that is not finite or out of its range.
  DynamicCoupling(const DynamicCouplingSpec& spec, double dt, const Pose& object);

  const Pose& object() const noexcept { return object_; }

  // --- online: nothing is allocated. `hand_speed`: (v_m, w_m).
  HandForce advance(const Pose& hand, const Vector6d& hand_speed,
                    const HeldContact& contact) noexcept;
  // Another place of the object is grasped, so far from the last one [m].
  void move_by(const Vector3d& way) noexcept {
    speed_.head<3>() += Vector3d(speed_.tail<3>()).cross(way);
    object_.position += way;
  }
  void reset(const Pose& object) noexcept;

 private:
  DynamicCouplingSpec spec_;
  double dt_;
  double damper_, turning_damper_;  // d [N s/m], d_T [N m s]
  Pose object_;
  Vector6d speed_ = Vector6d::Zero();
};

}  // namespace pliant
