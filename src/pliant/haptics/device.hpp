// SPDX-License-Identifier: MIT
// A haptic device as the loop sees it, whatever stands behind: what it senses, what it renders, what it
// can do. Lengths and forces are those of the real world [m, N, rad, N m], in the device's own frame;
// workspace.hpp maps them to the scene, device_port.hpp keeps them safe.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "pliant/base/pose.hpp"
#include "pliant/haptics/wrench.hpp"

namespace pliant {

struct DeviceSample {
  Pose pose;
  Vector6d twist = Vector6d::Zero();  // (velocity, angular velocity) [m/s, rad/s]
  std::uint32_t buttons = 0;          // a bit each
  double gripper = 0.0;               // opening, 0 to 1
  std::uint64_t number = 0;           // of the sample, from 1: the same number is the same sample
};

struct DeviceForce {
  Vector6d wrench = Vector6d::Zero();
  double gripper = 0.0;  // that opens it [N]
};

// What a device can do. Of one that renders nothing the limits are 0.
struct DeviceFacts {
  std::string name;
  bool senses_rotation = true;
  bool renders_force = false, renders_torque = false, has_gripper = false;
  bool relative = false;   // senses rates, as a SpaceMouse does: the pose is summed up
  double stiffness = 0.0;  // that it bears [N/m]
  double damping = 0.0;    // of its own [N s/m]
  double most_force = 0.0, most_torque = 0.0;  // N, N m
  double most_gripper = 0.0;                   // N
  double workspace = 0.1;                      // radius [m]
  double rate = 1000.0;                        // samples a second
};

enum class DeviceHealth : std::uint8_t {
  absent,   // never answered, or gone
  waiting,  // there, but not ready: not calibrated, a handshake under way
  ready,
};

// read() and write() are called by the real-time thread, once a cycle each: they neither allocate, lock,
// wait nor throw. What waits for a network has a thread of its own.
class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceFacts& facts() const noexcept = 0;
  virtual DeviceHealth health() const noexcept = 0;
  // The newest sample; false: there is none at all.
  virtual bool read(DeviceSample& sample) noexcept = 0;
  virtual void write(const DeviceForce& force) noexcept = 0;
  // For people: what it is doing or what is wrong. From any thread but the real-time one.
  virtual std::string message() const { return {}; }
};

}  // namespace pliant
