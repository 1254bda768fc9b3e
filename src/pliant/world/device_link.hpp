// SPDX-License-Identifier: MIT
// A device at the handle of a world: its place moves the hand, and what the hand feels goes back to it,
// guarded and made safe.
//
//   sample -> workspace -> hand      ...the cycle...      felt -> workspace -> guard -> port -> device
//
// The first button is the clutch: while it is down the device moves and the hand does not.
#pragma once

#include <memory>
#include <optional>

#include "pliant/asset/world_specs.hpp"
#include "pliant/base/tensor_view.hpp"
#include "pliant/haptics/device.hpp"
#include "pliant/haptics/device_port.hpp"
#include "pliant/haptics/passivity_guard.hpp"
#include "pliant/haptics/workspace.hpp"
#include "pliant/world/device_state.hpp"
#include "pliant/world/hold.hpp"

namespace pliant {

struct DeviceLinkSpec {
  double scale = 1.0;  // metres of the scene to one of the device
  Eigen::Quaterniond axes = Eigen::Quaterniond::Identity();  // of the device, in the scene
  bool guard = false;
  DevicePortSpec port;
};

class DeviceLink {
 public:
  // `hand`: where the hand begins. Throws Error: settings out of their range.
  DeviceLink(std::unique_ptr<Device> device, const DeviceLinkSpec& spec, const Pose& hand,
             double dt);

  const Device& device() const { return *device_; }
  const DeviceLinkSpec& spec() const { return spec_; }

  // --- online: nothing is allocated.
  // Moves the hand; what it felt in the last cycle is rendered after.
  void before(Hold& hold, const DeviceControl& control) noexcept;
  void after(const Hold& hold) noexcept;
  // Of a cycle in which the world stands still: no force.
  void rest() noexcept;
  // The hand was put elsewhere.
  void reset(const Pose& hand) noexcept;

  const DeviceState& state() const noexcept { return state_; }
  // Of this cycle; null: there was none.
  const DeviceSample* sample() const noexcept { return has_sample_ ? &sample_ : nullptr; }

 private:
  void sense() noexcept;
  void send(const Vector6d& wanted, double gripper) noexcept;

  std::unique_ptr<Device> device_;
  DeviceLinkSpec spec_;
  Workspace workspace_;
  std::optional<PassivityGuard> guard_;
  std::optional<DevicePort> port_;  // of a device that renders
  DeviceSample sample_;
  bool has_sample_ = false;
  Pose last_;                      // of the device, in the cycle before
  std::optional<Vector3d> grasp_;  // where the hand held its body
  DeviceState state_;
};

// Of a scene's [device], if it needs no hardware; null otherwise. `asset`: carries recorded motions.
// Throws Error: it does not.
std::unique_ptr<Device> make_device(const DeviceSpec& spec, const TensorView& asset, double dt);
DeviceLinkSpec link_spec_of(const DeviceSpec& spec);

}  // namespace pliant
