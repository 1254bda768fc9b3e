// SPDX-License-Identifier: MIT
#include "pliant/devices/network_session.hpp"

#include <algorithm>

namespace pliant::devices {
namespace {

constexpr std::uint64_t latest_time = std::uint64_t{1} << 60;  // us
constexpr std::int64_t drift =
    10'000;  // clocks differ by 100 ppm at most: a microsecond in so many

}  // namespace

Verdict NetworkSession::take(std::span<const std::byte> bytes, std::int64_t now,
                             DeviceSample& sample) noexcept {
  const Verdict verdict = judge(bytes, now, sample);
  if (verdict != Verdict::hello && verdict != Verdict::pose) ++refused_;
  return verdict;
}

Verdict NetworkSession::judge(std::span<const std::byte> bytes, std::int64_t now,
                              DeviceSample& sample) noexcept {
  const auto head = read_head(key_, bytes);
  if (!head) return Verdict::not_ours;
  if (head->kind == MessageKind::hello) {
    timed_ = false;  // a bridge that was started anew has another clock
    return Verdict::hello;
  }
  if (head->kind != MessageKind::pose) return Verdict::not_ours;
  if (head->session != session_) return Verdict::other_session;
  if (head->sequence <= last_) return Verdict::old;
  if (head->time > latest_time) return Verdict::not_sound;
  const std::int64_t took = now - static_cast<std::int64_t>(head->time);
  const std::int64_t allowed = timed_ ? offset_ + (now - last_now_) / drift : took;
  if (took - allowed > latest) return Verdict::late;
  const auto pose = read_pose(bytes);
  if (!pose) return Verdict::not_sound;
  offset_ = std::min(took, allowed);
  last_now_ = now;
  timed_ = true;
  last_ = head->sequence;
  sample = *pose;
  return Verdict::pose;
}

Bytes NetworkSession::welcome(std::int64_t now) const {
  return write_hello(key_, {.kind = MessageKind::welcome,
                            .session = session_,
                            .sequence = last_,
                            .time = static_cast<std::uint64_t>(now)});
}

Bytes NetworkSession::wrench(const DeviceForce& force, std::int64_t now) {
  return write_wrench(key_,
                      {.kind = MessageKind::wrench,
                       .session = session_,
                       .sequence = ++sent_,
                       .time = static_cast<std::uint64_t>(now)},
                      last_, force);
}

}  // namespace pliant::devices
