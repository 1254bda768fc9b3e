// SPDX-License-Identifier: MIT
#include "pliant/haptics/real_time.hpp"

#include <cstddef>

#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace pliant {
namespace {

// May the process lock as much memory as it likes? With a limit, locking what is to come would make
// its later allocations fail.
bool may_lock_all_memory() noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) return true;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  return (data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK)) != 0;
}

// The stack that a step may use is there before it is needed.
void touch_stack() noexcept {
  constexpr std::size_t size = 256 * 1024, page = 4096;
  [[maybe_unused]] volatile char stack[size];
  for (std::size_t i = 0; i < size; i += page) stack[i] = 0;
}

}  // namespace

RealTimeScope::RealTimeScope(int priority) noexcept {
  locked_ = may_lock_all_memory() && mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  touch_stack();
  sched_param parameters{};
  if (pthread_getschedparam(pthread_self(), &old_policy_, &parameters) != 0) return;
  old_priority_ = parameters.sched_priority;
  parameters.sched_priority = priority;
  fifo_ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
}

RealTimeScope::~RealTimeScope() {
  if (locked_) munlockall();
  sched_param parameters{};
  parameters.sched_priority = old_priority_;
  if (fifo_) pthread_setschedparam(pthread_self(), old_policy_, &parameters);
}

}  // namespace pliant
