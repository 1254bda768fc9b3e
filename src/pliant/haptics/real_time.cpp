// SPDX-License-Identifier: MIT
#include "pliant/haptics/real_time.hpp"

#include <string_view>

#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

namespace pliant {
namespace {

// The program itself and what its cycles call.
bool called_in_cycles(std::string_view name) noexcept {
  if (name.empty()) return true;
  for (const std::string_view library : {"/libc.so", "/libm.so", "/libstdc++.so"}) {
    if (name.find(library) != name.npos) return true;
  }
  return false;
}

// Once, and for good: every loop of the process needs it.
bool lock_code() noexcept {
  static const bool locked =
      dl_iterate_phdr(
          [](dl_phdr_info* object, std::size_t, void*) noexcept {
            if (!called_in_cycles(object->dlpi_name)) return 0;
            for (int i = 0; i < object->dlpi_phnum; ++i) {
              const auto& part = object->dlpi_phdr[i];
              if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
              const auto at = object->dlpi_addr + part.p_vaddr;
              // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells addresses as numbers
              if (mlock(reinterpret_cast<const void*>(at), part.p_memsz) != 0) return 1;
            }
            return 0;
          },
          nullptr) == 0;
  return locked;
}

bool lock(std::span<const std::byte> range) noexcept {
  return range.empty() || mlock(range.data(), range.size()) == 0;
}

// The stack that a step may use is there before it is needed.
[[gnu::noinline]] std::span<const std::byte> touch_stack() noexcept {
  constexpr std::size_t size = 256 * 1024, page = 4096;
  volatile std::byte stack[size];
  for (std::size_t i = 0; i < size; i += page) stack[i] = {};
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  std::size_t whole = 0;
  pthread_attr_getstack(&attributes, &lowest, &whole);
  pthread_attr_destroy(&attributes);
  const auto* const end = static_cast<const std::byte*>(lowest) + whole;
  const auto* const begin = const_cast<const std::byte*>(&stack[0]);
  if (begin < lowest || begin >= end) return {};  // a sanitizer has it elsewhere
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

RealTimeScope::RealTimeScope(std::vector<std::span<const std::byte>> memory, int cpu) noexcept
    : memory_(std::move(memory)), stack_(touch_stack()) {
  locked_ = lock(stack_);
  for (const auto& range : memory_) locked_ = lock(range) && locked_;
  locked_ = lock_code() && locked_;
  cpu_set_t before;
  if (cpu >= 0 && cpu < CPU_SETSIZE &&
      pthread_getaffinity_np(pthread_self(), sizeof before, &before) == 0) {
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(static_cast<std::size_t>(cpu), &own);
    if (pthread_setaffinity_np(pthread_self(), sizeof own, &own) == 0) old_cpus_ = before;
  }
  sched_param parameters{};
  if (pthread_getschedparam(pthread_self(), &old_policy_, &parameters) != 0) return;
  old_priority_ = parameters.sched_priority;
  parameters.sched_priority = priority;
  fifo_ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
}

RealTimeScope::~RealTimeScope() {
  for (const auto& range : memory_) {
    if (!range.empty()) munlock(range.data(), range.size());
  }
  if (!stack_.empty()) munlock(stack_.data(), stack_.size());
  sched_param parameters{};
  parameters.sched_priority = old_priority_;
  if (old_cpus_) pthread_setaffinity_np(pthread_self(), sizeof *old_cpus_, &*old_cpus_);
  if (fifo_) pthread_setschedparam(pthread_self(), old_policy_, &parameters);
}

}  // namespace pliant
