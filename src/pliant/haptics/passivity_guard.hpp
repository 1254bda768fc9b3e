// SPDX-License-Identifier: MIT
// Keeps a rendered force from giving more energy than it was given: passivity in the time domain,
// after Hannaford and Ryu 2002.
//
// The force f_n sent in cycle n acts until cycle n + 1, while the hand goes by z from x_n to x_n+1. So
// the work that the hand did on the simulation is known exactly, and so is what the damping b of the
// device itself took in the meantime:
//
//   E_n+1 = E_n - f_n . z + b |z|^2 / dt
//
// A simulation that only stores and loses energy has E >= 0. Two rules hold it there:
//
//   1. A force may fall at any time, but it grows by no more than 2 b / dt, the stiffest wall that the
//      device bears at this rate, times the way of the hand against it, and by `creep` while the hand
//      does not go along with it. A hand that stands still is slowly given what is wanted.
//   2. A force is no larger than that of a spring of 2 b / dt that holds E: |f| <= sqrt(2 E 2 b / dt).
//      So what was pressed in comes out along the same way, and no more.
//
// E also counts what friction took long ago, on which a spring that gains energy could live for a
// while: so it is kept below `store`. A world that moves by itself may push a hand that stands still:
// for that E is given `power`, so little that no swing can be felt to live on it.
#pragma once

#include "pliant/haptics/wrench.hpp"

namespace pliant {

struct PassivityGuardSpec {
  double store = 0.05;          // J
  double device_damping = 1.0;  // b [N s/m]
  double creep = 20;            // N/s
  double power = 5e-4;          // W
  double length = 0.1;          // rotations as lengths [m]
};

class PassivityGuard {
 public:
  // Throws Error: a number that is not finite or out of its range.
  PassivityGuard(const PassivityGuardSpec& spec, double dt);

  // What is rendered in place of `force`. `way`: (dx, dw) of the hand since the last cycle.
  Vector6d render(const Vector6d& force, const Vector6d& way) noexcept;
  // After render(), where ramps and limits of a device change what it gave: what acts on the hand.
  void sent(const Vector6d& rendered) noexcept;
  void reset() noexcept;

  double energy() const noexcept { return energy_; }  // E [J]
  bool acting() const noexcept { return acting_; }    // changed the last force

 private:
  PassivityGuardSpec spec_;
  double dt_;
  double energy_ = 0.0;
  bool acting_ = false;
  // Rotations as lengths.
  Vector6d given_ = Vector6d::Zero(), sent_ = Vector6d::Zero();
};

}  // namespace pliant
