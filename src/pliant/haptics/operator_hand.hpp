// SPDX-License-Identifier: MIT
// A hand on a device, simulated, to try whole loops with: an arm as a mass that a spring and a damper
// pull along an intended way, on a device that senses in steps, late, and holds each force until the
// next one comes.
//
//   m x'' + (b + b_h) x' + k_h x = k_h (x_i(t) + tremor) + b_h x_i'(t) + f(t - delay)
//
//   m, b      of device and arm together [kg], [N s/m]      x_i    where the hand means to go
//   k_h, b_h  of the grip [N/m], [N s/m]                     f      rendered, held over a cycle
//
// and the same about three axes of rotation, as small angles about the first pose. Between two cycles
// the motion of an axis is solved exactly (constant force, intended way linear), so that nothing of
// what is seen is an error of this hand.
//
// With k_h = b_h = 0 and a wall f = -K x it is unstable above K = 2 b / dt; with a cycle of delay above
// 2 b / (3 dt), for masses that move little in a cycle.
#pragma once

#include <array>
#include <cstdint>

#include "pliant/base/pose.hpp"
#include "pliant/base/random.hpp"
#include "pliant/haptics/wrench.hpp"

namespace pliant {

struct OperatorSpec {
  double mass = 0.15, damping = 1.0;              // m, b
  double grip_stiffness = 200, grip_damping = 4;  // k_h, b_h
  double inertia = 3e-4, turning_damping = 2e-3;  // the same of rotations [kg m^2], [N m s]
  double turning_stiffness = 0.4, turning_grip = 8e-3;
  double tremor = 0, tremor_rate = 9;          // amplitude [m], frequency [Hz]
  double encoder = 0, turning_encoder = 0;     // steps that are sensed [m], [rad]; 0: none
  int delay = 0;                               // cycles until a force acts
  double most_force = 8.5, most_torque = 0.5;  // that the device gives [N], [N m]
  std::uint64_t seed = 1;
};

class OperatorHand {
 public:
  static constexpr int most_delay = 15;

  // Throws Error: a number that is not finite or out of its range.
  OperatorHand(const OperatorSpec& spec, double dt, const Pose& start);

  // --- nothing is allocated.
  // Where the device says that it is.
  Pose sensed() const noexcept;
  // One cycle: the force of this cycle is sent, and the hand means to be at `intended` at its end.
  void advance(const Vector6d& force, const Pose& intended) noexcept;

  Vector6d place() const noexcept { return x_; }  // against the start: (moved, turned)
  Vector6d speed() const noexcept { return v_; }

 private:
  // Of one axis: (x, v) at the end of a cycle from (x, v), the force, and the intended way.
  struct Axis {
    std::array<std::array<double, 5>, 2> step;  // columns: x, v, force, target, target's rate
  };
  static Axis axis_of(double mass, double damping, double stiffness, double grip, double dt);

  OperatorSpec spec_;
  double dt_, time_ = 0.0;
  Pose start_;
  Axis moving_, turning_;
  Vector6d x_ = Vector6d::Zero(), v_ = Vector6d::Zero(), target_ = Vector6d::Zero();
  std::array<Vector6d, most_delay + 1> sent_;
  std::size_t next_ = 0;
  Vector6d phase_;  // of the tremor
};

}  // namespace pliant
