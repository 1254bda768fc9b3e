// SPDX-License-Identifier: MIT
// The load of a contact while the level of the traversal changes: [Barbic07] 3.10.3 lets it step.
// Here the step is remembered and taken back over some cycles,
//
//   load(k) = computed(k) + (1 - k/n) (applied before - computed(0)),     k = 0 .. n - 1 cycles
//
// so that the load is held when the level changes and has become what is computed n cycles later.
// Of one body in one pair.
#pragma once

#include "pliant/shape/motion.hpp"

namespace pliant {

class LevelBlend {
 public:
  static constexpr int cycles = 8;  // n

  // `r`: coefficients of the body.
  explicit LevelBlend(Index r) : before_(r, false), applied_(r, false), step_(r, false) {}

  // The next cycle begins as the first.
  void forget() noexcept { levels_ = left_ = 0; }

  // --- online, each cycle: before the contacts of the pair are added to the body's load, and after.
  // `levels`: that were completed. Tangents are left as they are.
  void begin(const Load& load) noexcept { copy(load, before_); }
  void end(int levels, Load& load) noexcept {
    if (levels_ != 0 && levels != levels_) {
      left_ = cycles;
      // What was applied last and is no longer computed.
      step_.force = applied_.force - (load.force - before_.force);
      step_.torque = applied_.torque - (load.torque - before_.torque);
      step_.Q = applied_.Q - (load.Q - before_.Q);
    }
    levels_ = levels;
    if (left_ > 0) {
      const double share = static_cast<double>(left_) / cycles;
      load.force += share * step_.force;
      load.torque += share * step_.torque;
      load.Q += share * step_.Q;
      --left_;
    }
    applied_.force = load.force - before_.force;
    applied_.torque = load.torque - before_.torque;
    applied_.Q = load.Q - before_.Q;
  }

 private:
  static void copy(const Load& from, Load& to) noexcept {
    to.force = from.force;
    to.torque = from.torque;
    to.Q = from.Q;
  }

  Load before_, applied_, step_;
  int levels_ = 0, left_ = 0;
};

}  // namespace pliant
