// SPDX-License-Identifier: MIT
#include "support/allocation_counter.hpp"

#include <cerrno>
#include <cstddef>

namespace {

thread_local long allocations = 0;

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
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  ++allocations;
  return __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  ++allocations;
  *out = __libc_memalign(alignment, size);
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

}  // namespace pliant::test
