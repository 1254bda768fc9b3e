// SPDX-License-Identifier: MIT
#include "pliant/haptics/device_port.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/haptics/check_number.hpp"
#include "pliant/haptics/static_coupling.hpp"

namespace pliant {

const char* words_of(PortState state) noexcept {
  switch (state) {
    case PortState::idle:
      return "no force";
    case PortState::ramp:
      return "force coming on";
    case PortState::force:
      return "force on";
    case PortState::brake:
      return "force going off";
  }
  return "";
}

const char* words_of(PortFault fault) noexcept {
  switch (fault) {
    case PortFault::none:
      return "";
    case PortFault::no_sample:
      return "the device stopped answering";
    case PortFault::too_fast:
      return "the device moved faster than is safe";
    case PortFault::too_much_impulse:
      return "the force drove the device along";
    case PortFault::not_finite:
      return "the simulation gave a force that is no number";
    case PortFault::stopped:
      return "the force was switched off";
  }
  return "";
}

DevicePort::DevicePort(const DevicePortSpec& spec, double most_force, double most_torque, double dt)
    : spec_(spec), most_force_(most_force), most_torque_(most_torque), dt_(dt) {
  for (const auto& [name, value] : {std::pair{"rise", spec.rise},
                                    {"fall", spec.fall},
                                    {"patience", spec.patience},
                                    {"largest speed", spec.most_speed},
                                    {"calm speed", spec.calm_speed},
                                    {"largest change", spec.most_change},
                                    {"largest impulse", spec.most_impulse},
                                    {"memory", spec.memory},
                                    {"largest force", most_force},
                                    {"largest torque", most_torque},
                                    {"step", dt}}) {
    check_number("device", name, value, value > 0, "a number above 0");
  }
  patience_ = static_cast<int>(std::clamp(std::round(spec.patience / dt), 1.0, 1e6));
  age_ = patience_;
}

void DevicePort::brake(PortFault why) noexcept {
  if (state_ == PortState::idle || state_ == PortState::brake) return;
  state_ = PortState::brake;
  fault_ = why;
  ++faults_;
  braked_ = sent_;
}

Vector6d DevicePort::render(const DeviceSample* sample, const Vector6d& wanted) noexcept {
  const bool sound = sample && sample->twist.allFinite();
  const bool fresh = sound && sample->number != last_number_;
  age_ = fresh ? 0 : std::min(age_ + 1, patience_);
  if (fresh) last_number_ = sample->number;
  const double speed = sound ? sample->twist.head<3>().norm() : 0.0;

  if (!wanted.allFinite()) {
    brake(PortFault::not_finite);
  } else if (!sound || age_ >= patience_) {
    brake(PortFault::no_sample);
  } else if (speed > spec_.most_speed) {
    brake(PortFault::too_fast);
  } else if (impulse_ > spec_.most_impulse) {
    brake(PortFault::too_much_impulse);
  } else if (state_ == PortState::idle && speed < spec_.calm_speed) {
    state_ = PortState::ramp;
  }

  if (state_ == PortState::idle) {
    sent_.setZero();
    impulse_ = gain_ = 0.0;
    return sent_;
  }
  if (state_ == PortState::brake) {
    gain_ -= dt_ / spec_.fall;
    if (gain_ < 1e-9) gain_ = 0.0;  // nor what rounding leaves
    const Vector6d out = gain_ * braked_;
    if (gain_ == 0.0) state_ = PortState::idle;
    return out;
  }
  if (state_ == PortState::ramp) {
    gain_ = std::min(1.0, gain_ + dt_ / spec_.rise);
    if (gain_ == 1.0) state_ = PortState::force;
  }
  const Vector6d limited = device_clamp(wanted, most_force_, most_torque_);
  const double share = most_torque_ / most_force_;  // of torques to forces
  const double most = spec_.most_change * dt_;
  sent_.head<3>() += no_longer(limited.head<3>() - sent_.head<3>(), most);
  sent_.tail<3>() += no_longer(limited.tail<3>() - sent_.tail<3>(), most * share);
  const Vector6d out = gain_ * sent_;
  const double along = speed > 0 ? out.head<3>().dot(sample->twist.head<3>()) / speed : 0.0;
  impulse_ = std::max(0.0, impulse_ * (1 - dt_ / spec_.memory) + dt_ * std::max(0.0, along));
  return out;
}

double DevicePort::render_gripper(double wanted, double most) noexcept {
  if (state_ == PortState::idle) gripper_ = 0.0;
  if ((state_ == PortState::ramp || state_ == PortState::force) && std::isfinite(wanted)) {
    const double change = spec_.most_change * dt_ * most / most_force_;
    gripper_ += std::clamp(std::clamp(wanted, -most, most) - gripper_, -change, change);
  }
  return gain_ * gripper_;
}

}  // namespace pliant
