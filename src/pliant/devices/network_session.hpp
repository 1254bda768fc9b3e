// SPDX-License-Identifier: MIT
// Who may move the hand over the network, and with which messages. A pose counts if its tag is right,
// if it is of this session and newer than all before, and if it was not long under way: the fastest
// message so far says how the clock of the sender goes against ours.
#pragma once

#include "pliant/devices/network_message.hpp"

namespace pliant::devices {

enum class Verdict : std::uint8_t {
  hello,
  pose,
  not_ours,       // no message of the protocol, or of another key
  other_session,  // of before we were started
  old,            // a message came twice, or after a newer one
  late,           // it was long under way
  not_sound,      // numbers that no device has
};

class NetworkSession {
 public:
  static constexpr std::int64_t latest = 20'000;  // us behind the fastest message

  NetworkSession(const Key& key, std::uint64_t session) : key_(key), session_(session) {}

  // `now`: by our steady clock [us]. A pose that counts is written to `sample`.
  Verdict take(std::span<const std::byte> bytes, std::int64_t now, DeviceSample& sample) noexcept;

  Bytes welcome(std::int64_t now) const;
  Bytes wrench(const DeviceForce& force, std::int64_t now);

  std::uint64_t last() const { return last_; }  // sequence of the newest pose
  std::uint64_t refused() const { return refused_; }

 private:
  Verdict judge(std::span<const std::byte> bytes, std::int64_t now, DeviceSample& sample) noexcept;

  Key key_;
  std::uint64_t session_, last_ = 0, sent_ = 0, refused_ = 0;
  bool timed_ = false;
  std::int64_t offset_ = 0;  // arrival - time, of the fastest [us]
  std::int64_t last_now_ = 0;
};

}  // namespace pliant::devices
