// SPDX-License-Identifier: MIT
// A Haply Inverse3 behind the WebSocket of its maker's service (haply_talk.hpp). A thread of its own
// speaks: each state is answered with the newest force. It connects again whenever it is thrown out.
#pragma once

#include <memory>

#include "pliant/asset/device_specs.hpp"
#include "pliant/haptics/device.hpp"

namespace pliant::devices {

class Haply final : public Device {
 public:
  // Throws Error: the host is no address.
  explicit Haply(const HaplyDevice& spec);
  ~Haply() override;

  const DeviceFacts& facts() const noexcept override { return facts_; }
  DeviceHealth health() const noexcept override;
  bool read(DeviceSample& sample) noexcept override;
  void write(const DeviceForce& force) noexcept override;
  std::string message() const override;

 private:
  class Talker;

  DeviceFacts facts_;
  std::unique_ptr<Talker> talker_;
};

}  // namespace pliant::devices
