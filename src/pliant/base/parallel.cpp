// SPDX-License-Identifier: MIT
#include "pliant/base/parallel.hpp"

#include <memory>
#include <mutex>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

std::mutex limit_mutex;
std::unique_ptr<tbb::global_control> limit;

}  // namespace

void set_threads(int n) {
  PLIANT_ASSERT(n >= 0, "a number of threads is not negative");
  const std::lock_guard lock(limit_mutex);
  limit.reset();
  if (n > 0) {
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(n));
  }
}

int threads() {
  return static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void parallel_chunks(std::size_t n, std::size_t chunk,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  PLIANT_ASSERT(chunk > 0, "a chunk holds at least one item");
  const std::size_t count = (n + chunk - 1) / chunk;
  if (count == 1) return body(0, n);
  tbb::parallel_for(std::size_t{0}, count,
                    [&](std::size_t c) { body(c * chunk, std::min(n, (c + 1) * chunk)); });
}

}  // namespace pliant
