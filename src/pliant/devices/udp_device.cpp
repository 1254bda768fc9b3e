// SPDX-License-Identifier: MIT
#include "pliant/devices/udp_device.hpp"

#include <cerrno>
#include <cstring>
#include <random>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/devices/network_session.hpp"
#include "pliant/devices/steady_clock.hpp"

namespace pliant::devices {
namespace {

constexpr int tick = 20, retry = 100;         // ms
constexpr std::int64_t gone_after = 100'000;  // us without a pose
constexpr std::size_t largest_datagram = 2048;
constexpr int most_at_once = 256;  // messages, until it is looked whether the bridge is there

struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

Address atof(const std::string& host, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_DGRAM;
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error != 0) {
    throw Error({"", 0, "device.host"}, "not an address of this machine", printable(host),
                "127.0.0.1 for bridges on this machine, 0.0.0.0 for others");
  }
  Address address;
  std::memcpy(&address.bytes, found->ai_addr, found->ai_addrlen);
  address.size = found->ai_addrlen;
  ::freeaddrinfo(found);
  return address;
}

// A socket that listens; below 0: it cannot now, as errno says.
int listen_at(const Address& address) {
  const int file = ::socket(address.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0) return -1;
  if (::bind(file, reinterpret_cast<const sockaddr*>(&address.bytes), address.size) == 0)
    return file;
  const int why = errno;
  ::close(file);
  errno = why;
  return -1;
}

int port_of(int socket) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) return 0;
  return own.ss_family == AF_INET6 ? ntohs(reinterpret_cast<const sockaddr_in6&>(own).sin6_port)
                                   : ntohs(reinterpret_cast<const sockaddr_in&>(own).sin_port);
}

}  // namespace

UdpDevice::UdpDevice(const NetworkDevice& spec, const Key& key)
    : facts_{.name = "network",
             .senses_rotation = true,
             .renders_force = true,
             .renders_torque = spec.most_torque > 0,
             .has_gripper = spec.most_gripper > 0,
             .stiffness = spec.stiffness,
             .most_force = spec.mapping.most_force,
             .most_torque = spec.most_torque,
             .most_gripper = spec.most_gripper},
      host_(spec.host) {
  const Address address = atof(spec.host, spec.port);
  exchange_.set(DeviceHealth::absent, "not listening yet");
  thread_ = std::jthread([this, key, address, wanted = spec.port](const std::stop_token& stop) {
    // A scene that is being closed may have the port still.
    while (!stop.stop_requested() && (socket_ = listen_at(address)) < 0) {
      exchange_.set(DeviceHealth::absent, fmt::format("cannot listen at {}, UDP port {}: {}", host_,
                                                      wanted, std::strerror(errno)));
      ::poll(nullptr, 0, retry);
    }
    if (socket_ < 0) return;
    port_ = port_of(socket_);
    serve(stop, key);
    ::close(socket_);
  });
}

UdpDevice::~UdpDevice() {
  thread_.request_stop();
  thread_.join();
}

void UdpDevice::serve(const std::stop_token& stop, const Key& key) {
  const std::string at = fmt::format("{}, UDP port {}", host_, port_.load());
  exchange_.set(DeviceHealth::absent, "waiting for a bridge at " + at);
  std::random_device random;
  NetworkSession session(key, (std::uint64_t{random()} << 32 | random()) | 1);
  std::array<std::byte, largest_datagram> buffer;
  std::int64_t last_pose = -gone_after;
  bool there = false;
  while (!stop.stop_requested()) {
    pollfd waiting{socket_, POLLIN, 0};
    ::poll(&waiting, 1, tick);
    for (int taken = 0; taken < most_at_once; ++taken) {
      sockaddr_storage from{};
      socklen_t size = sizeof from;
      auto* address = reinterpret_cast<sockaddr*>(&from);
      const ssize_t got = ::recvfrom(socket_, buffer.data(), buffer.size(), 0, address, &size);
      if (got < 0) break;
      const std::int64_t now = steady_us();
      DeviceSample sample;
      const auto answer = [&](const Bytes& bytes) {
        ::sendto(socket_, bytes.data(), bytes.size(), 0, address, size);  // lost: the next will do
      };
      switch (session.take({buffer.data(), static_cast<std::size_t>(got)}, now, sample)) {
        case Verdict::hello:
          answer(session.welcome(now));
          break;
        case Verdict::pose:
          exchange_.give(sample);
          last_pose = now;
          answer(session.wrench(exchange_.force_at(1e-6 * static_cast<double>(now)), now));
          break;
        default:
          break;
      }
    }
    const bool now_there = steady_us() - last_pose < gone_after;
    if (now_there == there) continue;
    there = now_there;
    exchange_.set(there ? DeviceHealth::ready : DeviceHealth::absent,
                  there ? fmt::format("a bridge moves the hand ({})", at)
                        : fmt::format("the bridge is gone: waiting for it at {} ({} messages were "
                                      "refused)",
                                      at, session.refused()));
  }
}

}  // namespace pliant::devices
