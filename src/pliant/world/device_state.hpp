// SPDX-License-Identifier: MIT
// The device at a world's handle, as others see it.
#pragma once

#include <cstdint>

#include "pliant/haptics/device_port.hpp"

namespace pliant {

// After a cycle.
struct DeviceState {
  bool there = false;
  PortState port = PortState::idle;
  PortFault fault = PortFault::none;
  std::uint64_t faults = 0;
  bool guarded = false;                  // the guard changed the last force
  Vector6d rendered = Vector6d::Zero();  // in the device's axes [N], [N m]
  std::uint32_t buttons = 0;
  double gripper = 0.0;
};

}  // namespace pliant
