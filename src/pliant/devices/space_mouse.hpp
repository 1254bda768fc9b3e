// SPDX-License-Identifier: MIT
// A SpaceMouse, through the socket of spacenavd: it says how far its cap is pushed and turned, and the
// hand goes on as fast as that (rate control).
//
//   an event: 8 int32   0, x, y, z, rx, ry, rz, ms since the last     a motion
//                       1 or 2, button, ...                           pressed, released
//
// Its x is to the right, y up, z away from the user: z and rz are turned round for a right-handed frame.
// A cap that is held still sends nothing: the last motion counts until the next, or until the socket is
// closed.
#pragma once

#include <array>
#include <thread>

#include "pliant/asset/device_specs.hpp"
#include "pliant/devices/exchange.hpp"

namespace pliant::devices {

// How fast the hand goes, and the buttons.
struct CapState {
  Vector6d rate = Vector6d::Zero();  // m/s, rad/s
  std::uint32_t buttons = 0;

  using Event = std::array<std::int32_t, 8>;
  // False: an event of a kind that is not known, which changes nothing.
  bool take(const Event& event, const SpaceMouseDevice& spec) noexcept;
};

class SpaceMouse final : public Device {
 public:
  SpaceMouse(const SpaceMouseDevice& spec, double dt);
  ~SpaceMouse() override;

  const DeviceFacts& facts() const noexcept override { return facts_; }
  DeviceHealth health() const noexcept override { return exchange_.health(); }
  // Sums up the way of a cycle.
  bool read(DeviceSample& sample) noexcept override;
  void write(const DeviceForce&) noexcept override {}
  std::string message() const override { return exchange_.message(); }

 private:
  void listen(const std::stop_token& stop);

  DeviceFacts facts_;
  SpaceMouseDevice spec_;
  double dt_;
  Pose pose_;
  Exchange exchange_;  // whose samples are rates
  std::uint64_t cycle_ = 0;
  std::jthread thread_;
};

}  // namespace pliant::devices
