// SPDX-License-Identifier: MIT
// Who is told of every cycle of a world: a recorder. By the world's thread: nothing may be allocated,
// locked or thrown.
#pragma once

#include "pliant/haptics/device.hpp"
#include "pliant/world/command.hpp"

namespace pliant {

struct WorldData;

class CycleLog {
 public:
  virtual ~CycleLog() = default;

  // That the world is given, before the next cycle.
  virtual void command(const Command& command) noexcept = 0;
  // What the device at the handle sensed (null: nothing), and whether the world made a step.
  virtual void cycle(const WorldData& world, const DeviceSample* sample, bool stepped) noexcept = 0;
};

}  // namespace pliant
