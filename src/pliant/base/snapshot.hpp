// SPDX-License-Identifier: MIT
// A wait-free triple buffer: one writer publishes whole states, one reader takes the newest.
// Neither ever waits for the other, nothing is allocated after construction, and the reader never
// sees a half-written state. The writer's thread: back(), publish(). The reader's thread: fetch(),
// front().
//
// Of the three buffers one belongs to the writer (back), one to the reader (front), and one is in
// the middle; publish and fetch exchange theirs with the middle one by a single atomic exchange.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace pliant {

template <class T>
class Snapshot {
 public:
  // All three buffers start as copies of `initial`, so that T's storage is preallocated.
  explicit Snapshot(const T& initial = T()) : buffers_{{{initial}, {initial}, {initial}}} {}
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  // --- writer ---
  // The state to fill in next; it holds an older state, not the last published one.
  T& back() noexcept { return buffers_[back_].value; }
  void publish() noexcept {
    back_ = middle_.exchange(static_cast<std::uint8_t>(back_ | fresh), std::memory_order_acq_rel) &
            index;
  }

  // --- reader ---
  // Takes the newest published state to the front; false if there is none since the last fetch.
  bool fetch() noexcept {
    if ((middle_.load(std::memory_order_relaxed) & fresh) == 0) return false;
    front_ = middle_.exchange(front_, std::memory_order_acq_rel) & index;
    return true;
  }
  const T& front() const noexcept { return buffers_[front_].value; }

 private:
  static constexpr std::uint8_t index = 3, fresh = 4;
  static constexpr std::size_t cache_line = 64;
  struct alignas(cache_line) Buffer {
    T value;
  };

  std::array<Buffer, 3> buffers_;
  alignas(cache_line) std::uint8_t back_ = 0;
  alignas(cache_line) std::atomic<std::uint8_t> middle_{1};
  alignas(cache_line) std::uint8_t front_ = 2;
};

}  // namespace pliant
