// SPDX-License-Identifier: MIT
#include "pliant/devices/space_mouse.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"

namespace pliant::devices {
namespace {

constexpr double full_deflection = 350.0;  // of spacenavd's numbers
constexpr int tick = 20, retry = 500;      // ms
constexpr int most_buttons = 32;

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0) return -1;
  if (::connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return file;
  ::close(file);
  return -1;
}

}  // namespace

bool CapState::take(const Event& event, const SpaceMouseDevice& spec) noexcept {
  if (event[0] == 1 || event[0] == 2) {
    if (event[1] < 0 || event[1] >= most_buttons) return false;
    const std::uint32_t bit = 1U << event[1];
    buttons = event[0] == 1 ? buttons | bit : buttons & ~bit;
    return true;
  }
  if (event[0] != 0) return false;
  constexpr double signs[] = {1, 1, -1, 1, 1, -1};
  for (int i = 0; i < 6; ++i) {
    const double part =
        std::clamp(event[static_cast<std::size_t>(i) + 1] / full_deflection, -1.0, 1.0);
    // The dead zone goes over into the rest without a step.
    const double size = std::max(0.0, std::abs(part) - spec.dead_zone) / (1 - spec.dead_zone);
    rate[i] = std::copysign(size, part) * signs[i] * (i < 3 ? spec.speed : spec.turning);
  }
  return true;
}

SpaceMouse::SpaceMouse(const SpaceMouseDevice& spec, double dt)
    : facts_{.name = "spacemouse", .relative = true, .rate = 60}, spec_(spec), dt_(dt) {
  exchange_.set(DeviceHealth::absent, "spacenavd is not there: " + printable(spec_.socket));
  thread_ = std::jthread([this](const std::stop_token& stop) { listen(stop); });
}

SpaceMouse::~SpaceMouse() {
  thread_.request_stop();
  thread_.join();
}

bool SpaceMouse::read(DeviceSample& sample) noexcept {
  DeviceSample rate;
  exchange_.read(rate);
  pose_.position += dt_ * rate.twist.head<3>();
  pose_.rotation = (rotation_by(dt_ * rate.twist.tail<3>()) * pose_.rotation).normalized();
  sample = {.pose = pose_,
            .twist = rate.twist,
            .buttons = rate.buttons,
            .gripper = 0.0,
            .number = ++cycle_};
  return true;
}

void SpaceMouse::listen(const std::stop_token& stop) {
  const auto give = [this](const CapState& cap) {
    DeviceSample sample;
    sample.twist = cap.rate;
    sample.buttons = cap.buttons;
    exchange_.give(sample);
  };
  while (!stop.stop_requested()) {
    const int file = connect_to(spec_.socket);
    if (file < 0) {
      for (int waited = 0; waited < retry && !stop.stop_requested(); waited += tick) {
        ::poll(nullptr, 0, tick);
      }
      continue;
    }
    CapState cap;
    give(cap);
    exchange_.set(DeviceHealth::ready, "spacenavd moves the hand");
    std::array<char, sizeof(CapState::Event)> bytes;
    std::size_t filled = 0;  // events may come in pieces
    while (!stop.stop_requested()) {
      pollfd waiting{file, POLLIN, 0};
      if (::poll(&waiting, 1, tick) <= 0) continue;
      const ssize_t got = ::recv(file, bytes.data() + filled, bytes.size() - filled, 0);
      if (got <= 0) break;
      filled += static_cast<std::size_t>(got);
      if (filled < bytes.size()) continue;
      filled = 0;
      CapState::Event event;
      std::memcpy(event.data(), bytes.data(), bytes.size());
      if (cap.take(event, spec_)) give(cap);
    }
    ::close(file);
    give({});  // nothing goes on by itself
    exchange_.set(DeviceHealth::absent, "spacenavd is gone: " + printable(spec_.socket));
  }
}

}  // namespace pliant::devices
