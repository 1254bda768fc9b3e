// SPDX-License-Identifier: MIT
#include "pliant/devices/exchange.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pliant::devices {
namespace {

constexpr double patience = 0.002, fall = 0.003;  // s

}  // namespace

bool Exchange::read(DeviceSample& sample) noexcept {
  any_ |= samples_.fetch();
  if (any_) sample = samples_.front();
  return any_;
}

void Exchange::write(const DeviceForce& force) noexcept {
  forces_.back() = force;
  forces_.publish();
}

void Exchange::give(DeviceSample sample) noexcept {
  sample.number = ++number_;
  samples_.back() = sample;
  samples_.publish();
}

DeviceForce Exchange::force_at(double now) noexcept {
  if (forces_.fetch()) renewed_ = now;
  if (renewed_ < 0) return {};
  DeviceForce force = forces_.front();
  const double rest = std::clamp(1 - (now - renewed_ - patience) / fall, 0.0, 1.0);
  if (rest == 0.0 && !fading_) stalls_.fetch_add(1, std::memory_order_relaxed);
  fading_ = rest == 0.0;
  force.wrench *= rest;
  force.gripper *= rest;
  return force;
}

void Exchange::set(DeviceHealth health, const std::string& message) {
  health_.store(health, std::memory_order_release);
  const std::lock_guard lock(lock_);
  message_ = message;
}

std::string Exchange::message() const {
  const std::lock_guard lock(lock_);
  const std::uint64_t times = stalls();
  if (times == 0) return message_;
  return fmt::format("{}; the loop stood still {} time{}, and the force went off", message_, times,
                     times == 1 ? "" : "s");
}

}  // namespace pliant::devices
