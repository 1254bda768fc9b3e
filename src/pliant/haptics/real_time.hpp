// SPDX-License-Identifier: MIT
// What the operating system can do for a loop that must not be late: a scheduling class above all
// ordinary threads (SCHED_FIFO), and memory that is never paged out. Both need rights that a user
// may not have; then the loop runs as it is, and says so.
//
// What a loop touches in every cycle stays in memory by itself. Locked is what it may need after a
// while: its code, its stack, and what its owner names. To lock all of the process, with what is to
// come, would hold what bakes beside the loop use too.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <sched.h>

namespace pliant {

// While it lives, its thread runs with real-time priority, and code, stack and `memory`, which
// outlives it, are locked, as far as that is allowed. Made and destroyed by the thread that runs the
// loop.
class RealTimeScope {
 public:
  // `cpu`: the only one that the thread runs on; below 0: any.
  explicit RealTimeScope(std::vector<std::span<const std::byte>> memory = {},
                         int cpu = -1) noexcept;
  ~RealTimeScope();
  RealTimeScope(const RealTimeScope&) = delete;
  RealTimeScope& operator=(const RealTimeScope&) = delete;

  bool fifo() const noexcept { return fifo_; }
  bool memory_locked() const noexcept { return locked_; }
  bool pinned() const noexcept { return old_cpus_.has_value(); }

  // Above the threads that serve interrupts (50), below the kernel's watchdogs (99).
  static constexpr int priority = 80;

 private:
  std::vector<std::span<const std::byte>> memory_;
  std::span<const std::byte> stack_;
  int old_policy_ = 0, old_priority_ = 0;
  bool fifo_ = false, locked_ = false;
  std::optional<cpu_set_t> old_cpus_;
};

}  // namespace pliant
