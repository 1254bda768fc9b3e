// SPDX-License-Identifier: MIT
#include "pliant/world/device_link.hpp"

#include <algorithm>
#include <numbers>

#include "pliant/base/error.hpp"
#include "pliant/base/match.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/haptics/motion_device.hpp"

namespace pliant {

DeviceLink::DeviceLink(std::unique_ptr<Device> device, const DeviceLinkSpec& spec, const Pose& hand,
                       double dt)
    : device_(std::move(device)), spec_(spec), workspace_(spec.scale, spec.axes, hand) {
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

void DeviceLink::sense() noexcept {
  last_ = sample_.pose;
  const bool had = has_sample_;
  has_sample_ = device_->health() == DeviceHealth::ready && device_->read(sample_);
  if (has_sample_ && !had) last_ = sample_.pose;
}

void DeviceLink::before(Hold& hold, const DeviceControl& control) noexcept {
  if (control.scale != workspace_.scale()) workspace_.set_scale(control.scale);
  sense();
  if (!has_sample_) {
    workspace_.lose();
    return;
  }
  workspace_.set_indexing(control.indexing || (sample_.buttons & 1U) != 0);
  if (grasp_ && *grasp_ != hold.grasp) workspace_.set_hand(hold.target);
  grasp_ = hold.grasp;
  hold.target = workspace_.follow(sample_.pose);
  if (device_->facts().has_gripper) hold.target_opening = std::clamp(sample_.gripper, 0.0, 1.0);
  hold.eased = hold.let_go = false;
}

void DeviceLink::after(const Hold& hold) noexcept {
  send(workspace_.to_device(hold.felt.on_hand), hold.gripper_force);
}

void DeviceLink::rest() noexcept {
  sense();
  workspace_.lose();
  send(Vector6d::Zero(), 0.0);
}

void DeviceLink::send(const Vector6d& wanted, double gripper) noexcept {
  state_.attached = true;
  state_.there = has_sample_;
  state_.buttons = sample_.buttons;
  state_.gripper = sample_.gripper;
  state_.indexing = workspace_.indexing();
  state_.scale = workspace_.scale();
  if (!port_) return;
  Vector6d force = wanted;
  if (!device_->facts().renders_torque) force.tail<3>().setZero();
  if (guard_ && has_sample_) {
    Vector6d way = Vector6d::Zero();
    way.head<3>() = sample_.pose.position - last_.position;
    if (device_->facts().renders_torque) {
      way.tail<3>() = rotation_vector(sample_.pose.rotation * last_.rotation.conjugate());
    }
    force = guard_->render(force, way);
    state_.guarded = guard_->acting();
  } else if (guard_) {
    guard_->reset();
  }
  state_.rendered = port_->render(has_sample_ ? &sample_ : nullptr, force);
  if (guard_) guard_->sent(state_.rendered);
  state_.port = port_->state();
  state_.fault = port_->fault();
  state_.faults = port_->faults();
  const double most = device_->facts().most_gripper;
  state_.gripper_force = most > 0 ? port_->render_gripper(gripper, most) : 0.0;
  device_->write({.wrench = state_.rendered, .gripper = state_.gripper_force});
}

void DeviceLink::reset(const Pose& hand) noexcept {
  workspace_.set_hand(hand);
  if (guard_) guard_->reset();
}

namespace {

// Columns time, x, y, z, qw, qx, qy, qz, buttons, gripper.
HandTrajectory trajectory_of(const TensorView& asset) {
  const auto rows = asset.matrix<double>(trajectory_name, 10);
  std::vector<HandPoint> points;
  for (Index k = 0; k < rows.cols(); ++k) {
    const auto row = rows.col(k);
    if (!(row[8] >= 0 && row[8] <= 4294967295.0)) {
      throw Error({asset.name(), 0, trajectory_name}, "buttons are a whole number");
    }
    points.push_back(
        {.time = row[0],
         .pose = {row.segment<3>(1), Eigen::Quaterniond(row[4], row[5], row[6], row[7])},
         .buttons = static_cast<std::uint32_t>(row[8]),
         .gripper = row[9]});
  }
  return HandTrajectory(std::move(points));
}

// The axes of the Inverse3 in a scene: its x to the right, its y forward (-z), its z up (y).
Eigen::Quaterniond haply_axes() {
  return Eigen::Quaterniond(Eigen::AngleAxisd(-0.5 * std::numbers::pi, Vector3d::UnitX()));
}

DeviceLinkSpec mapped(const DeviceMapping& mapping) {
  DeviceLinkSpec link;
  link.scale = mapping.scale;
  link.guard = mapping.guard;
  link.port.patience = mapping.patience;
  return link;
}

}  // namespace

std::unique_ptr<Device> make_device(const DeviceSpec& spec, const TensorView& asset, double dt) {
  return std::visit(Match{[&](const ScriptDevice& s) -> std::unique_ptr<Device> {
                            return std::make_unique<MotionDevice>("script", s.motion, dt);
                          },
                          [&](const ReplayDevice&) -> std::unique_ptr<Device> {
                            return std::make_unique<MotionDevice>("replay", trajectory_of(asset),
                                                                  dt);
                          },
                          [&](const OperatorDeviceSpec& s) -> std::unique_ptr<Device> {
                            return std::make_unique<OperatorDevice>(s.hand, s.motion, dt);
                          },
                          [](const auto&) -> std::unique_ptr<Device> { return nullptr; }},
                    spec);
}

DeviceLinkSpec link_spec_of(const DeviceSpec& spec) {
  return std::visit(Match{[](const OperatorDeviceSpec& s) {
                            DeviceLinkSpec link;
                            link.guard = s.guard;
                            return link;
                          },
                          [](const HaplyDevice& s) {
                            DeviceLinkSpec link = mapped(s.mapping);
                            link.axes = haply_axes();
                            return link;
                          },
                          [](const NetworkDevice& s) { return mapped(s.mapping); },
                          [](const auto&) { return DeviceLinkSpec{}; }},
                    spec);
}

}  // namespace pliant
