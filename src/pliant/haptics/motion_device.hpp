// SPDX-License-Identifier: MIT
// Devices that need no hardware: one that follows a motion whatever it renders (`replay`, `script`), and
// one whose simulated hand means to follow it and feels what is rendered (`operator`).
#pragma once

#include "pliant/haptics/device.hpp"
#include "pliant/haptics/hand_motion.hpp"
#include "pliant/haptics/operator_hand.hpp"

namespace pliant {

class MotionDevice final : public Device {
 public:
  MotionDevice(std::string name, HandMotion motion, double dt);

  const DeviceFacts& facts() const noexcept override { return facts_; }
  DeviceHealth health() const noexcept override { return DeviceHealth::ready; }
  bool read(DeviceSample& sample) noexcept override;
  void write(const DeviceForce&) noexcept override {}

 private:
  DeviceFacts facts_;
  HandMotion motion_;
  double dt_;
  std::uint64_t cycle_ = 0;
  Pose last_;
};

class OperatorDevice final : public Device {
 public:
  // Throws Error as OperatorHand.
  OperatorDevice(const OperatorSpec& spec, HandMotion intention, double dt);

  const DeviceFacts& facts() const noexcept override { return facts_; }
  DeviceHealth health() const noexcept override { return DeviceHealth::ready; }
  bool read(DeviceSample& sample) noexcept override;
  void write(const DeviceForce& force) noexcept override;

 private:
  DeviceFacts facts_;
  HandMotion intention_;
  OperatorHand hand_;
  double dt_;
  std::uint64_t cycle_ = 0;
};

}  // namespace pliant
