// SPDX-License-Identifier: MIT
// Does to a world what a recording of cycles says: the same commands, the same samples of the device,
// cycle by cycle, and contact looks at as many nodes as it had time for then. The forces are then the
// same to the bit, which is compared.
#pragma once

#include <memory>

#include "pliant/world/recording/cycle_file.hpp"

namespace pliant {

class CycleReplay {
 public:
  // Attaches the recorded device to a world that has not made a step. Throws Error: a recording of
  // another scene, or one with gaps.
  CycleReplay(CycleFile file, World& world);
  ~CycleReplay();

  std::int64_t cycles() const { return cycles_; }

  // --- online: nothing is allocated.
  // One cycle of the world; false: there is none left.
  bool step() noexcept;
  // Cycles whose forces were others than the recorded ones, and the first of them; -1: none.
  std::int64_t different() const { return different_; }
  std::int64_t first_different() const { return first_different_; }

 private:
  class SampleDevice;

  CycleFile file_;
  World& world_;
  SampleDevice* device_ = nullptr;  // that the world owns
  std::int64_t next_ = 0, cycles_ = 0, done_ = 0, different_ = 0, first_different_ = -1;
};

}  // namespace pliant
