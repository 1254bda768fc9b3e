// SPDX-License-Identifier: MIT
// One connected viewer, as the hub sees it: how to reach it, and what it may do.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "pliant/serve/frame.hpp"
#include "pliant/serve/rate_limit.hpp"

namespace pliant::serve {

using SharedText = std::shared_ptr<const std::string>;

enum class CloseCode : std::uint16_t {
  going_away = 1001,
  unsupported = 1003,
  policy = 1008,
  too_large = 1009,
  try_later = 1013,
};

// The connection. Nothing here waits.
struct Link {
  std::function<void(SharedText)> send_text;
  std::function<void(const FrameHead&, SharedText sections, const FrameCounters&)> send_frame;
  std::function<std::size_t()> unsent_bytes;
  std::function<std::size_t()> unsent_messages;
  std::function<void(CloseCode, const std::string& reason)> close;
};

struct Viewer {
  int id = 0;
  Link link;
  double joined = 0, last_command = -1e9, last_sent = 0;  // s
  bool greeted = false;                                   // has said hello
  bool closing = false;
  int rate = 60;   // frames a second that it wants
  int credit = 0;  // sixtieths of a second since its last frame, times the rate
  std::uint32_t sequence = 0, skipped = 0;

  RateLimit hands{120}, rare{2}, others{30}, errors{5}, long_messages{4};
};

}  // namespace pliant::serve
