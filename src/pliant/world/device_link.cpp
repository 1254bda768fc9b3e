// SPDX-License-Identifier: MIT
#include "pliant/world/device_link.hpp"

#include "pliant/base/match.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/haptics/motion_device.hpp"

namespace pliant {

DeviceLink::DeviceLink(std::unique_ptr<Device> device, const DeviceLinkSpec& spec, const Pose& hand,
                       double dt)
    : device_(std::move(device)), workspace_(spec.scale, spec.axes, hand) {
  const DeviceFacts& facts = device_->facts();
  if (!facts.renders_force) return;
  port_.emplace(spec.port, facts.most_force, facts.renders_torque ? facts.most_torque : 1e-9, dt);
  if (!spec.guard) return;
  const double damping = facts.damping > 0 ? facts.damping : 0.5 * facts.stiffness * dt;
  const double bears = 2 * damping / dt;
  guard_.emplace(PassivityGuardSpec{.store = facts.most_force * facts.most_force / bears,
                                    .device_damping = damping},
                 dt);
}

void DeviceLink::before(Hold& hold) noexcept {
  last_ = sample_.pose;
  const bool had = has_sample_;
  has_sample_ = device_->health() == DeviceHealth::ready && device_->read(sample_);
  if (!has_sample_) {
    workspace_.lose();
    return;
  }
  if (!had) last_ = sample_.pose;
  workspace_.set_indexing((sample_.buttons & 1U) != 0);
  hold.target = workspace_.follow(sample_.pose);
  hold.eased = false;
}

void DeviceLink::after(const Hold& hold) noexcept {
  send(workspace_.to_device(hold.felt.on_hand));
}

void DeviceLink::rest() noexcept {
  has_sample_ = device_->health() == DeviceHealth::ready && device_->read(sample_);
  workspace_.lose();
  send(Vector6d::Zero());
}

void DeviceLink::send(const Vector6d& wanted) noexcept {
  state_.there = has_sample_;
  state_.buttons = sample_.buttons;
  state_.gripper = sample_.gripper;
  if (!port_) return;
  Vector6d force = wanted;
  if (guard_ && has_sample_) {
    Vector6d way;
    way << sample_.pose.position - last_.position,
        rotation_vector(sample_.pose.rotation * last_.rotation.conjugate());
    force = guard_->render(wanted, way);
    state_.guarded = guard_->acting();
  } else if (guard_) {
    guard_->reset();
  }
  state_.rendered = port_->render(has_sample_ ? &sample_ : nullptr, force);
  if (!device_->facts().renders_torque) state_.rendered.tail<3>().setZero();
  state_.port = port_->state();
  state_.fault = port_->fault();
  state_.faults = port_->faults();
  device_->write({.wrench = state_.rendered});
}

void DeviceLink::reset(const Pose& hand) noexcept {
  workspace_.set_hand(hand);
  if (guard_) guard_->reset();
}

std::unique_ptr<Device> make_device(const DeviceSpec& spec, double dt) {
  return std::visit(Match{[](const NoDevice&) -> std::unique_ptr<Device> { return nullptr; },
                          [](const ViewerDevice&) -> std::unique_ptr<Device> { return nullptr; },
                          [&](const ScriptDevice& s) -> std::unique_ptr<Device> {
                            return std::make_unique<MotionDevice>("script", s.motion, dt);
                          },
                          [&](const OperatorDeviceSpec& s) -> std::unique_ptr<Device> {
                            return std::make_unique<OperatorDevice>(s.hand, s.motion, dt);
                          }},
                    spec);
}

}  // namespace pliant
