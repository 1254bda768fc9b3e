// SPDX-License-Identifier: MIT
#include "pliant/devices/network_message.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace pliant::devices {
namespace {

static_assert(std::endian::native == std::endian::little, "messages are written as they are");

constexpr std::uint32_t magic = 0x56444c50;  // "PLDV"
constexpr std::uint8_t version = 1;
constexpr std::size_t head_size = 32, tag_size = 8;
constexpr double farthest = 100.0, fastest = 1000.0;  // m, m/s

class Writer {
 public:
  Writer(std::size_t size, const MessageHead& head) {
    bytes_.reserve(size);
    put(magic, version, head.kind, std::uint16_t{0}, head.session, head.sequence, head.time);
  }
  template <class... T>
  void put(const T&... values) {
    (append(&values, sizeof values), ...);
  }
  Bytes finish(const Key& key) {
    put(sip_hash(key, bytes_));
    return std::move(bytes_);
  }

 private:
  void append(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  Bytes bytes_;
};

template <class T>
T read(std::span<const std::byte> bytes, std::size_t at) noexcept {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::size_t size_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::hello:
    case MessageKind::welcome:
      return hello_size;
    case MessageKind::pose:
      return pose_size;
    case MessageKind::wrench:
      return wrench_size;
  }
  return 0;
}

}  // namespace

Bytes write_hello(const Key& key, const MessageHead& head) {
  return Writer(hello_size, head).finish(key);
}

Bytes write_pose(const Key& key, const MessageHead& head, const DeviceSample& sample) {
  Writer out(pose_size, head);
  for (const double x : sample.pose.position) out.put(x);
  const Eigen::Quaterniond& q = sample.pose.rotation;
  out.put(q.w(), q.x(), q.y(), q.z());
  for (const double x : sample.twist) out.put(x);
  out.put(sample.buttons, static_cast<float>(sample.gripper));
  return out.finish(key);
}

Bytes write_wrench(const Key& key, const MessageHead& head, std::uint64_t answers,
                   const DeviceForce& force) {
  Writer out(wrench_size, head);
  out.put(answers);
  for (const double x : force.wrench) out.put(x);
  out.put(force.gripper);
  return out.finish(key);
}

std::optional<MessageHead> read_head(const Key& key, std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < hello_size || read<std::uint32_t>(bytes, 0) != magic ||
      read<std::uint8_t>(bytes, 4) != version) {
    return std::nullopt;
  }
  MessageHead head{.kind = read<MessageKind>(bytes, 5),
                   .session = read<std::uint64_t>(bytes, 8),
                   .sequence = read<std::uint64_t>(bytes, 16),
                   .time = read<std::uint64_t>(bytes, 24)};
  if (bytes.size() != size_of(head.kind)) return std::nullopt;
  const std::size_t tagged = bytes.size() - tag_size;
  if (sip_hash(key, bytes.first(tagged)) != read<std::uint64_t>(bytes, tagged)) return std::nullopt;
  return head;
}

std::optional<DeviceSample> read_pose(std::span<const std::byte> bytes) noexcept {
  std::array<double, 13> x;
  std::memcpy(x.data(), bytes.data() + head_size, sizeof x);
  for (const double value : x) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  DeviceSample sample;
  sample.pose.position = {x[0], x[1], x[2]};
  sample.pose.rotation = Eigen::Quaterniond(x[3], x[4], x[5], x[6]);
  sample.twist = Vector6d(x.data() + 7);
  sample.buttons = read<std::uint32_t>(bytes, head_size + sizeof x);
  sample.gripper = read<float>(bytes, head_size + sizeof x + 4);
  const double length = sample.pose.rotation.norm();
  if (!(sample.pose.position.cwiseAbs().maxCoeff() < farthest) || !(length > 0.9 && length < 1.1) ||
      !(sample.twist.cwiseAbs().maxCoeff() < fastest) ||
      !(sample.gripper >= 0 && sample.gripper <= 1)) {
    return std::nullopt;
  }
  sample.pose.rotation.normalize();
  return sample;
}

DeviceForce read_wrench(std::span<const std::byte> bytes) noexcept {
  std::array<double, 7> x;
  std::memcpy(x.data(), bytes.data() + head_size + 8, sizeof x);
  return {.wrench = Vector6d(x.data()), .gripper = x[6]};
}

}  // namespace pliant::devices
