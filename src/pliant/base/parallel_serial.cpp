// SPDX-License-Identifier: MIT
// The loops of parallel.hpp in the calling thread, for the runtime, which has no others. The chunks
// are the same, and so are the bits.
#include <algorithm>

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {

void set_threads(int n) {
  PLIANT_ASSERT(n >= 0, "a number of threads is not negative");
}

int threads() {
  return 1;
}

void parallel_chunks(std::size_t n, std::size_t chunk,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  PLIANT_ASSERT(chunk > 0, "a chunk holds at least one item");
  for (std::size_t begin = 0; begin < n; begin += chunk) body(begin, std::min(n, begin + chunk));
}

}  // namespace pliant
