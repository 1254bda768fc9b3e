// SPDX-License-Identifier: MIT
// An object that a hand holds by a spring, without inertia: static virtual coupling, [Barbic07] ch. 4.
//
// In every cycle the object moves to where contact and spring balance, to first order:
//
//   A z = -(F_C + F_VC, T_C + T_VC)      A = d(F_C + F_VC, T_C + T_VC)/dz,  z = (dx, dw)   (4.1), (4.2)
//
// solved by the singular values of A: directions in which nothing resists, as in free space once the
// spring is saturated, follow the hand (4.41):
//
//   z = V_nd S^-1 U_nd^T b + V_d V_d^T (x_m - x_s, w_m - w_s)
//
// Before that rotations are taken as lengths, dw * l, and torques as forces, T / l, with l of the size
// of the object: which directions count as free then does not depend on the units. A direction is free
// where A is far softer than the spring would be without saturation: as a part of the largest singular
// value, as in print, stiff contacts would make those free in which the spring and a contact at a short
// lever balance. Where the spring is saturated but not yet free, a step goes no farther than the hand:
// the tangent of a spring that bends leads beyond it.
//
// In this order: solve, free directions, static damping z (1 - alpha) (4.8), limits of speed (4.6),
// the force at the new place. The limits leave what contacts ask for whole and take from what follows
// the hand: one factor for both would let a far hand pull the object in deeper step by step. In contact
// ways and turns are limited by the same factor, as an object that turns about its contact does both. Damping drags
// in free space by k_VC v T alpha / (1 - alpha), v T the way of the hand in a cycle.
//
// A solver that steps to and fro instead of settling (a limit cycle) is slowed down: its largest steps
// are halved until what is left of it does not matter, and brought back to the limits of speed when it
// no longer goes to and fro: as it has settled, or as the hand goes on.
//
// The hand feels -k_VC r even where the spring of the object is saturated, up to the limit of the
// device (4.9), with a continuous slope there.
#pragma once

#include "pliant/haptics/coupling_spring.hpp"

namespace pliant {

struct StaticCouplingSpec {
  CouplingSpring spring;
  double damping = 0.5;       // alpha, 0 <= alpha < 1
  double most_speed = 0.6;    // m/s
  double most_turning = 6.3;  // rad/s
  double length = 0.1;        // l [m]
  double free_below = 1e-2;   // singular values below this part of the spring's: free directions
  double device_force = 8.5, device_torque = 0.5;  // what the device can render [N], [N m]
};

// What acts on the object where it is, about its grasped point, and how that changes with it.
struct HeldContact {
  Vector6d wrench = Vector6d::Zero();
  Matrix6d gradient = Matrix6d::Zero();
};

struct HandForce {
  Vector6d on_hand = Vector6d::Zero();    // for the device [N, N m]
  Vector6d on_object = Vector6d::Zero();  // of the saturated spring
  int free_directions = 0;
  bool limited = false;  // by the speeds
  bool slowed = false;   // a limit cycle is being settled
};

class StaticCoupling {
 public:
  // `dt`: of a cycle [s]. Throws Error: a number that is not finite or out of its range.
  StaticCoupling(const StaticCouplingSpec& spec, double dt, const Pose& object);

  const Pose& object() const noexcept { return object_; }
  const StaticCouplingSpec& spec() const noexcept { return spec_; }

  // --- online: nothing is allocated.
  HandForce advance(const Pose& hand, const HeldContact& contact) noexcept;
  // Another place of the object is grasped, so far from the last one [m].
  void move_by(const Vector3d& way) noexcept {
    object_.position += way;
    last_hand_.position += way;
  }
  // To another place, with nothing remembered.
  void reset(const Pose& object) noexcept;

 private:
  // Steps of a while, to tell one that settles from one that does not.
  struct Steps {
    static constexpr int length = 16;
    Vector6d sum = Vector6d::Zero();
    double way = 0.0, largest = 0.0, hand = 0.0;
    int count = 0;
  };
  void watch(const Vector6d& step, double hand_way) noexcept;

  StaticCouplingSpec spec_;
  double dt_;
  Pose object_, last_hand_;
  Steps steps_;
  double brake_ = 1.0;  // of the limits of speed
};

// `wrench` no longer than the limits of the device, with a continuous slope: the same up to half of
// the limit, then bent.
Vector6d device_clamp(const Vector6d& wrench, double force, double torque) noexcept;

}  // namespace pliant
