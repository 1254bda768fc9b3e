// SPDX-License-Identifier: MIT
// A device behind a bridge: poses come over UDP, each is answered with the newest force
// (docs/devices.md). A thread of its own speaks; the loop takes the newest sample.
#pragma once

#include <thread>

#include "pliant/asset/device_specs.hpp"
#include "pliant/devices/exchange.hpp"
#include "pliant/devices/sip_hash.hpp"

namespace pliant::devices {

class UdpDevice final : public Device {
 public:
  // Throws Error: not an address. One that is in use is waited for.
  UdpDevice(const NetworkDevice& spec, const Key& key);
  ~UdpDevice() override;

  const DeviceFacts& facts() const noexcept override { return facts_; }
  DeviceHealth health() const noexcept override { return exchange_.health(); }
  bool read(DeviceSample& sample) noexcept override { return exchange_.read(sample); }
  void write(const DeviceForce& force) noexcept override { exchange_.write(force); }
  std::string message() const override { return exchange_.message(); }

  int port() const { return port_; }  // 0: it does not listen yet

 private:
  void serve(const std::stop_token& stop, const Key& key);

  DeviceFacts facts_;
  std::string host_;
  int socket_ = -1;  // of the thread
  std::atomic<int> port_{0};
  Exchange exchange_;
  std::jthread thread_;
};

}  // namespace pliant::devices
