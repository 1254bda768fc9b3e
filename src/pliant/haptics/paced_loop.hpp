// SPDX-License-Identifier: MIT
// Calls a function at a fixed rate, at absolute deadlines: start, start + T, start + 2 T, .. so
// that being late once does not move the later ones.
//
//   deadline      woken up         work done              next deadline
//      |-------------|------------------|----------------------|
//        wake-up           work                 sleep
//
// The wake-up is the machine's part, the work is ours; each has its own histogram. Work that ends
// after the next deadline is an overrun: the deadlines that have passed are skipped and counted,
// and the loop goes on at the next one to come. It never catches up by calling twice in a row.
//
// Inside the loop nothing is allocated, locked, thrown or printed. Scheduling: real_time.hpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "pliant/haptics/duration_histogram.hpp"

namespace pliant {

// The system's monotonic clock, in ns. A test runs the loop on a clock of its own.
struct MonotonicClock {
  static std::int64_t now() noexcept;
  static void sleep_until(std::int64_t ns) noexcept;
};

// What the work is told of its cycle.
struct Cycle {
  std::uint64_t index;    // of the deadline, from 0; skipped deadlines leave gaps
  std::int64_t deadline;  // ns on the clock
  std::uint64_t skipped;  // deadlines between the cycle before and this one
};

class PacedLoop {
 public:
  // Throws Error unless 10 us <= period <= 1 s.
  explicit PacedLoop(std::int64_t period_ns);

  // Calls work(cycle) at each deadline, at once for the first, until stop(). Once a loop was
  // stopped, run() returns without a cycle until clear().
  template <class Work, class Clock = MonotonicClock>
  void run(Work&& work, Clock&& clock = {}) noexcept;

  // From any thread, from the work itself, or from a signal handler: run() returns before its next
  // cycle.
  void stop() noexcept { stopped_.store(true, std::memory_order_release); }
  bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }

  // Forgets the stop and all figures; not while run() is under way.
  void clear() noexcept;

  std::int64_t period() const noexcept { return period_; }
  // The figures may be read from any thread at any time.
  std::uint64_t cycles() const noexcept { return work_.count(); }
  std::uint64_t overruns() const noexcept { return overruns_.load(std::memory_order_relaxed); }
  // Those of them whose work alone would have fitted into the period: the wake-up came too late.
  std::uint64_t late_wake_ups() const noexcept {
    return late_wake_ups_.load(std::memory_order_relaxed);
  }
  // The longest run of cycles that all were overruns.
  std::uint64_t overruns_in_a_row() const noexcept {
    return longest_run_.load(std::memory_order_relaxed);
  }
  std::uint64_t skipped() const noexcept { return skipped_.load(std::memory_order_relaxed); }
  const DurationHistogram& wake_up() const noexcept { return wake_up_; }
  const DurationHistogram& work() const noexcept { return work_; }

 private:
  // What passed between the deadline and the end of its work; returns the deadlines to skip.
  std::uint64_t account(std::int64_t deadline, std::int64_t begin, std::int64_t end) noexcept;

  static_assert(std::atomic<bool>::is_always_lock_free);
  std::int64_t period_;
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> overruns_{0}, late_wake_ups_{0}, skipped_{0}, longest_run_{0};
  std::uint64_t run_ = 0;  // of overruns that goes on, of the loop's thread
  DurationHistogram wake_up_, work_;
};

template <class Work, class Clock>
void PacedLoop::run(Work&& work, Clock&& clock) noexcept {
  static_assert(std::is_nothrow_invocable_v<Work&, const Cycle&>, "the work must be noexcept");
  Cycle cycle{0, clock.now(), 0};
  while (!stopped()) {
    clock.sleep_until(cycle.deadline);
    const std::int64_t begin = clock.now();
    work(static_cast<const Cycle&>(cycle));
    cycle.skipped = account(cycle.deadline, begin, clock.now());
    cycle.index += cycle.skipped + 1;
    cycle.deadline += static_cast<std::int64_t>(cycle.skipped + 1) * period_;
  }
}

}  // namespace pliant
