// SPDX-License-Identifier: MIT
// What stands between the simulation's force and a device: no force without fresh samples, no kick, no
// more than the device is made for.
//
//   idle   --samples come, the hand is slow-->   ramp   --the gain has reached 1-->   force
//   any    --no fresh sample, too fast, too much impulse, told to stop-->   brake   --gain 0-->   idle
//
// The gain rises from 0 to 1 in `rise` and falls to 0 in `fall`; what is sent is gain x force. Braking
// scales the last force down, so that a simulation that stopped is never felt again.
//
// Besides, the force changes by no more than `most_change` a second, and is clamped smoothly to the
// device's limits; the impulse that it gives along the motion of the hand, forgotten with the time
// constant `memory`, stays below `most_impulse`.
#pragma once

#include <cstdint>

#include "pliant/haptics/device.hpp"

namespace pliant {

struct DevicePortSpec {
  double rise = 0.3, fall = 0.003;          // s
  double patience = 0.002;                  // without a new sample [s]
  double most_speed = 3.0;                  // of the device [m/s]
  double calm_speed = 0.3;                  // below which forces begin [m/s]
  double most_change = 3000;                // N/s
  double most_impulse = 0.5, memory = 0.1;  // N s, s
};

enum class PortState : std::uint8_t { idle, ramp, force, brake };
const char* words_of(PortState state) noexcept;

// Why it braked last.
enum class PortFault : std::uint8_t {
  none,
  no_sample,
  too_fast,
  too_much_impulse,
  not_finite,
  stopped
};
const char* words_of(PortFault fault) noexcept;

class DevicePort {
 public:
  // `most_force`, `most_torque`: of the device, above 0 [N], [N m]. Throws Error for numbers out of
  // their range.
  DevicePort(const DevicePortSpec& spec, double most_force, double most_torque, double dt);

  // --- online: nothing is allocated. Once a cycle: the sample of this cycle, or none, and the force
  // that the simulation wants.
  Vector6d render(const DeviceSample* sample, const Vector6d& wanted) noexcept;
  // After render(), in the same state: the force of the gripper, no more than `most` [N].
  double render_gripper(double wanted, double most) noexcept;
  void stop() noexcept { brake(PortFault::stopped); }

  PortState state() const noexcept { return state_; }
  PortFault fault() const noexcept { return fault_; }
  std::uint64_t faults() const noexcept { return faults_; }
  double gain() const noexcept { return gain_; }

 private:
  void brake(PortFault why) noexcept;

  DevicePortSpec spec_;
  double most_force_, most_torque_, dt_;
  PortState state_ = PortState::idle;
  PortFault fault_ = PortFault::none;
  std::uint64_t faults_ = 0, last_number_ = 0;
  int patience_ = 1, age_ = 1;  // cycles
  double gain_ = 0.0, impulse_ = 0.0;
  Vector6d sent_ = Vector6d::Zero();    // at gain 1
  Vector6d braked_ = Vector6d::Zero();  // that is scaled down
  double gripper_ = 0.0;                // at gain 1 [N]
};

}  // namespace pliant
