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

  // `r`: coefficients of the body, at most.
  explicit LevelBlend(Index r) : before_(r, false), applied_(r, false), step_(r, false) {}

  // What was added to a load beside what is computed, about the frame's origin.
  struct Added {
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  };

  // The next cycle begins as the first.
  void forget() noexcept { levels_ = left_ = 0; }

  // --- online, each cycle: before the contacts of the pair are added to the body's load, and after.
  // `levels`: that were completed. Tangents are left as they are.
  void begin(const Load& load) noexcept {
    before_.force = load.force;
    before_.torque = load.torque;
    before_.Q.head(load.Q.size()) = load.Q;
  }
  Added end(int levels, Load& load) noexcept {
    const Index r = load.Q.size();
    Added added;
    if (levels_ != 0 && levels != levels_) {
      left_ = cycles;
      // What was applied last and is no longer computed.
      step_.force = applied_.force - (load.force - before_.force);
      step_.torque = applied_.torque - (load.torque - before_.torque);
      step_.Q.head(r) = applied_.Q.head(r) - (load.Q - before_.Q.head(r));
    }
    levels_ = levels;
    if (left_ > 0) {
      const double share = static_cast<double>(left_) / cycles;
      added = {share * step_.force, share * step_.torque};
      load.force += added.force;
      load.torque += added.torque;
      load.Q += share * step_.Q.head(r);
      --left_;
    }
    applied_.force = load.force - before_.force;
    applied_.torque = load.torque - before_.torque;
    applied_.Q.head(r) = load.Q - before_.Q.head(r);
    return added;
  }

 private:
  Load before_, applied_, step_;
  int levels_ = 0, left_ = 0;
};

}  // namespace pliant
