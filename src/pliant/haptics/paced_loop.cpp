// SPDX-License-Identifier: MIT
#include "pliant/haptics/paced_loop.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <string>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t shortest_period = 10'000, longest_period = second;

}  // namespace

std::int64_t MonotonicClock::now() noexcept {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return second * t.tv_sec + t.tv_nsec;
}

void MonotonicClock::sleep_until(std::int64_t ns) noexcept {
  const timespec t{ns / second, ns % second};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

PacedLoop::PacedLoop(std::int64_t period_ns) : period_(period_ns) {
  if (period_ns < shortest_period || period_ns > longest_period) {
    throw Error({"", 0, "real-time loop"}, "its period is out of range",
                std::to_string(period_ns) + " ns", "10 us to 1 s");
  }
}

void PacedLoop::clear() noexcept {
  wake_up_.clear();
  work_.clear();
  overruns_.store(0, std::memory_order_relaxed);
  late_wake_ups_.store(0, std::memory_order_relaxed);
  skipped_.store(0, std::memory_order_relaxed);
  longest_run_.store(0, std::memory_order_relaxed);
  in_a_row_ = 0;
  stopped_.store(false, std::memory_order_release);
}

std::uint64_t PacedLoop::account(std::int64_t deadline, std::int64_t begin,
                                 std::int64_t end) noexcept {
  wake_up_.add(begin - deadline);
  work_.add(end - begin);
  if (end <= deadline + period_) {
    in_a_row_ = 0;
    return 0;
  }
  // The deadlines deadline + k period, k >= 1, that lie before `end`.
  const auto skip = static_cast<std::uint64_t>((end - deadline - 1) / period_);
  overruns_.fetch_add(1, std::memory_order_relaxed);
  if (++in_a_row_ > longest_run()) longest_run_.store(in_a_row_, std::memory_order_relaxed);
  if (end - begin <= period_) late_wake_ups_.fetch_add(1, std::memory_order_relaxed);
  skipped_.fetch_add(skip, std::memory_order_relaxed);
  return skip;
}

}  // namespace pliant
