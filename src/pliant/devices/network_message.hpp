// SPDX-License-Identifier: MIT
// The messages between a bridge and us, as docs/devices.md says them: one a datagram, little-endian, a
// head, what it says, and a tag that only who has the key can make.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pliant/devices/sip_hash.hpp"
#include "pliant/haptics/device.hpp"

namespace pliant::devices {

enum class MessageKind : std::uint8_t { hello = 1, pose = 2, welcome = 3, wrench = 4 };

struct MessageHead {
  MessageKind kind = MessageKind::hello;
  std::uint64_t session = 0;  // ours, a random number; 0 in a hello
  std::uint64_t sequence =
      0;  // of a pose: more than of all before; of a welcome: that of the last pose
  std::uint64_t time = 0;  // of the sender, by a steady clock [us]
};

inline constexpr std::size_t hello_size = 40, pose_size = 152, wrench_size = 104;
using Bytes = std::vector<std::byte>;

Bytes write_hello(const Key& key, const MessageHead& head);  // or a welcome
Bytes write_pose(const Key& key, const MessageHead& head, const DeviceSample& sample);
// `answers`: the sequence of the newest pose.
Bytes write_wrench(const Key& key, const MessageHead& head, std::uint64_t answers,
                   const DeviceForce& force);

// Empty: not a message of ours, or not made with this key.
std::optional<MessageHead> read_head(const Key& key, std::span<const std::byte> bytes) noexcept;
// Of a message with a sound head. Empty: numbers that no device has.
std::optional<DeviceSample> read_pose(std::span<const std::byte> bytes) noexcept;
DeviceForce read_wrench(std::span<const std::byte> bytes) noexcept;

}  // namespace pliant::devices
