// SPDX-License-Identifier: MIT
#include "pliant/world/desktop.hpp"

#include <chrono>

#include "pliant/base/parallel.hpp"

namespace pliant {

double monotonic_seconds() noexcept {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void on_all_cores(int count, void (*body)(void* context, int i) noexcept, void* context) noexcept {
  constexpr std::size_t bodies_a_task = 8;
  parallel_for(static_cast<std::size_t>(count), bodies_a_task,
               [&](std::size_t i) { body(context, static_cast<int>(i)); });
}

}  // namespace pliant
