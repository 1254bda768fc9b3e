// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace pliant::devices {

// Of a clock that never jumps.
inline std::int64_t steady_us() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace pliant::devices
