// SPDX-License-Identifier: MIT
// The device at a world's handle, as others see it.
#pragma once

#include <cstdint>

#include "pliant/haptics/device_port.hpp"

namespace pliant {

// After a cycle.
struct DeviceState {
  bool attached = false;  // a device is to move the handle
  bool there = false;     // and sensed something
  PortState port = PortState::idle;
  PortFault fault = PortFault::none;
  std::uint64_t faults = 0;
  bool guarded = false;                  // the guard changed the last force
  Vector6d rendered = Vector6d::Zero();  // in the device's axes [N], [N m]
  std::uint32_t buttons = 0;
  double gripper = 0.0;        // its opening, 0 to 1
  double gripper_force = 0.0;  // that opens it [N]
  bool indexing = false;
  double scale = 1.0;
};

// What people ask of the link to a device.
struct DeviceControl {
  double scale = 1.0;
  bool indexing = false;
};

}  // namespace pliant
