// SPDX-License-Identifier: MIT
// The devices at a handle that are not of this program's own making: a recorded motion, and hardware.
// The defaults are those of the scene file.
#pragma once

#include <optional>
#include <string>

#include "pliant/table/table.hpp"

namespace pliant {

// A motion from a file, which the asset carries as the tensor trajectory_name.
struct ReplayDevice {
  std::string file;
};
inline constexpr const char* trajectory_name = "device/trajectory";

// How a device that renders forces is joined to the scene.
struct DeviceMapping {
  double scale = 1.0;       // metres of the scene to one of the device
  double most_force = 8.0;  // N
  double patience = 0.002;  // without a sample, until the force goes off [s]
  bool guard = true;
};

// A Haply Inverse3, through the service of its maker on this machine.
struct HaplyDevice {
  DeviceMapping mapping;
  std::string host = "127.0.0.1";
  int port = 10001;
  std::string preset = "arm_front_centered";
  // Of the service, which alter what is rendered; absent: as they are.
  std::optional<double> force_gate, damping;
  std::optional<bool> torque_scaling, gravity_compensation;
};

// A SpaceMouse, through spacenavd.
struct SpaceMouseDevice {
  std::string socket = "/var/run/spnav.sock";
  double speed = 0.2;       // at full deflection [m/s]
  double turning = 1.5;     // rad/s
  double dead_zone = 0.03;  // of the deflection
};

// Any other: a bridge speaks to it, and to us over UDP (docs/devices.md).
struct NetworkDevice {
  DeviceMapping mapping;
  std::string host = "127.0.0.1";
  int port = 41451;
  double most_torque = 0.5;   // N m
  double stiffness = 1000.0;  // that it bears [N/m]
  double most_gripper = 0.0;  // N; 0: it has none
};

table::Table<ReplayDevice> replay_table();
table::Table<HaplyDevice> haply_table();
table::Table<SpaceMouseDevice> space_mouse_table();
table::Table<NetworkDevice> network_table();

}  // namespace pliant
