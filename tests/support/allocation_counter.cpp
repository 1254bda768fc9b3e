// SPDX-License-Identifier: MIT
#include "support/allocation_counter.hpp"

#include <cerrno>
#include <cstddef>
#include <limits>

namespace {

constexpr long never = std::numeric_limits<long>::max();
thread_local long allocations = 0;
thread_local long last_allocation = never;  // that succeeds

[[maybe_unused]] bool may_allocate() {
  return ++allocations <= last_allocation;
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool counting = false;
#else
constexpr bool counting = true;

// glibc's own entry points, behind the ones that are replaced here.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  return may_allocate() ? __libc_malloc(size) : nullptr;
}
void* calloc(std::size_t n, std::size_t size) {
  return may_allocate() ? __libc_calloc(n, size) : nullptr;
}
void* realloc(void* old, std::size_t size) {
  return may_allocate() ? __libc_realloc(old, size) : nullptr;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return may_allocate() ? __libc_memalign(alignment, size) : nullptr;
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  *out = may_allocate() ? __libc_memalign(alignment, size) : nullptr;
  return *out ? 0 : ENOMEM;
}
}
#endif

namespace pliant::test {

AllocationCounter::AllocationCounter() : start_(allocations) {}
long AllocationCounter::count() const {
  return allocations - start_;
}
bool AllocationCounter::can_count() {
  return counting;
}

AllocationFailure::AllocationFailure(long successes) {
  last_allocation = allocations + successes;
}
AllocationFailure::~AllocationFailure() {
  last_allocation = never;
}

}  // namespace pliant::test
