// SPDX-License-Identifier: MIT
// Deterministic parallel loops on oneTBB, for offline code. The range is cut into chunks whose
// borders depend on the range alone, never on the number of threads, and reductions combine the
// chunks in order: the same input gives the same bits for any number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace pliant {

// Number of threads used by the loops below; 0 restores the default (all cores).
void set_threads(int n);
int threads();

// Calls body(begin, end) for the chunks [0, chunk), [chunk, 2 chunk), ... of [0, n), in parallel.
// An exception in a body is rethrown here after the others have ended.
void parallel_chunks(std::size_t n, std::size_t chunk,
                     const std::function<void(std::size_t begin, std::size_t end)>& body);

// Calls body(i) for every i in [0, n), `chunk` of them a task.
template <class Body>
void parallel_for(std::size_t n, std::size_t chunk, const Body& body) {
  parallel_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

// Folds map(begin, end) over the chunks with combine(T, T), in the order of the chunks.
template <class T, class Map, class Combine>
T parallel_reduce(std::size_t n, std::size_t chunk, T initial, const Map& map,
                  const Combine& combine) {
  std::vector<T> parts((n + chunk - 1) / chunk, initial);
  parallel_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
    parts[begin / chunk] = map(begin, end);
  });
  T total = std::move(initial);
  for (T& part : parts) total = combine(std::move(total), std::move(part));
  return total;
}

}  // namespace pliant
