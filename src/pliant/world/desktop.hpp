// SPDX-License-Identifier: MIT
// A world with all engines and with threads.
#pragma once

#include "pliant/world/engines.hpp"
#include "pliant/world/thread_worker.hpp"
#include "pliant/world/world.hpp"

namespace pliant {

// Late workers are waited for: the same bits every time.
inline WorldOptions desktop_options() {
  return {.engines = engines(), .make_worker = make_thread_worker};
}
// In time with the wall clock: nothing is waited for.
inline WorldOptions real_time_options() {
  WorldOptions options = desktop_options();
  options.wait = false;
  return options;
}

// Steps the bodies of a world on all cores; not for real time, as it waits for threads.
void on_all_cores(int count, void (*body)(void* context, int i) noexcept, void* context) noexcept;

}  // namespace pliant
