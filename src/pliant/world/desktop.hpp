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
// Of the machine [s].
double monotonic_seconds() noexcept;

// In time with the wall clock: nothing is waited for, and contact is kept to its time.
inline WorldOptions real_time_options() {
  WorldOptions options = desktop_options();
  options.wait = false;
  options.clock = monotonic_seconds;
  return options;
}

// Steps the bodies of a world on all cores; not for real time, as it waits for threads.
void on_all_cores(int count, void (*body)(void* context, int i) noexcept, void* context) noexcept;

}  // namespace pliant
