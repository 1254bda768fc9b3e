// SPDX-License-Identifier: MIT
#include "pliant/haptics/motion_device.hpp"

#include "pliant/base/rotation.hpp"

namespace pliant {
namespace {

// How fast a hand went from one pose to the next.
Vector6d twist_between(const Pose& from, const Pose& to, double dt) noexcept {
  Vector6d twist;
  twist << (to.position - from.position) / dt,
      rotation_vector(to.rotation * from.rotation.conjugate()) / dt;
  return twist;
}

}  // namespace

MotionDevice::MotionDevice(std::string name, HandMotion motion, double dt)
    : facts_{.name = std::move(name), .has_gripper = true, .rate = 1 / dt},
      motion_(std::move(motion)),
      dt_(dt) {
  last_ = place_of(motion_, 0.0).pose;
}

bool MotionDevice::read(DeviceSample& sample) noexcept {
  const HandPoint at = place_of(motion_, static_cast<double>(cycle_) * dt_);
  sample = {.pose = at.pose,
            .twist = twist_between(last_, at.pose, dt_),
            .buttons = at.buttons,
            .gripper = at.gripper,
            .number = ++cycle_};
  last_ = at.pose;
  return true;
}

OperatorDevice::OperatorDevice(const OperatorSpec& spec, HandMotion intention, double dt)
    : facts_{.name = "operator",
             .renders_force = true,
             .renders_torque = true,
             .has_gripper = true,
             .stiffness = 2 * spec.damping / dt,
             .damping = spec.damping,
             .most_force = spec.most_force,
             .most_torque = spec.most_torque,
             .rate = 1 / dt},
      intention_(std::move(intention)),
      hand_(spec, dt, place_of(intention_, 0.0).pose),
      dt_(dt) {}

bool OperatorDevice::read(DeviceSample& sample) noexcept {
  const HandPoint meant = place_of(intention_, static_cast<double>(cycle_) * dt_);
  sample = {.pose = hand_.sensed(),
            .twist = hand_.speed(),
            .buttons = meant.buttons,
            .gripper = meant.gripper,
            .number = cycle_ + 1};
  return true;
}

void OperatorDevice::write(const DeviceForce& force) noexcept {
  hand_.advance(force.wrench, place_of(intention_, static_cast<double>(++cycle_) * dt_).pose);
}

}  // namespace pliant
