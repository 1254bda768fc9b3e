// SPDX-License-Identifier: MIT
#include "pliant/devices/hardware.hpp"

#include "pliant/base/error.hpp"
#include "pliant/base/match.hpp"
#include "pliant/devices/device_key.hpp"
#include "pliant/devices/haply.hpp"
#include "pliant/devices/space_mouse.hpp"
#include "pliant/devices/udp_device.hpp"

namespace pliant::devices {

std::unique_ptr<Device> open_hardware(const DeviceSpec& spec, double dt) {
  return std::visit(Match{[](const HaplyDevice& s) -> std::unique_ptr<Device> {
                            return std::make_unique<Haply>(s);
                          },
                          [&](const SpaceMouseDevice& s) -> std::unique_ptr<Device> {
                            return std::make_unique<SpaceMouse>(s, dt);
                          },
                          [](const NetworkDevice& s) -> std::unique_ptr<Device> {
                            return std::make_unique<UdpDevice>(s, device_key());
                          },
                          [](const auto&) -> std::unique_ptr<Device> { return nullptr; }},
                    spec);
}

void attach_hardware(World& world) {
  const DeviceSpec& spec = world.head().device;
  if (std::unique_ptr<Device> device = open_hardware(spec, world.dt())) {
    world.attach(std::move(device), link_spec_of(spec));
  }
}

void refuse_hardware(const DeviceSpec& spec) {
  const bool is_hardware = std::holds_alternative<HaplyDevice>(spec) ||
                           std::holds_alternative<SpaceMouseDevice>(spec) ||
                           std::holds_alternative<NetworkDevice>(spec);
  if (!is_hardware) return;
  throw Error({"", 0, "device"}, "a device needs a run that keeps time", "",
              "--real-time, or --replay FILE of a recorded motion");
}

}  // namespace pliant::devices
