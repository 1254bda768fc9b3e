// SPDX-License-Identifier: MIT
// A bounded, wait-free queue from one producer thread to one consumer thread: a ring of slots that
// are allocated once. Neither side ever waits; a full queue refuses, an empty one gives nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace pliant {

template <class T>
class Queue {
 public:
  // Holds up to `capacity` > 0 values.
  explicit Queue(std::size_t capacity) : slots_(capacity + 1) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // --- producer --- false: the queue is full, nothing was added.
  bool push(const T& value) noexcept {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    const std::size_t next = after(tail);
    if (next == head_.load(std::memory_order_acquire)) return false;
    slots_[tail] = value;
    tail_.store(next, std::memory_order_release);
    return true;
  }

  // --- consumer --- false: the queue is empty.
  bool pop(T& value) noexcept {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    value = slots_[head];
    head_.store(after(head), std::memory_order_release);
    return true;
  }

 private:
  std::size_t after(std::size_t i) const { return i + 1 == slots_.size() ? 0 : i + 1; }

  static constexpr std::size_t cache_line = 64;
  std::vector<T> slots_;
  alignas(cache_line) std::atomic<std::size_t> head_{0};  // next to be taken
  alignas(cache_line) std::atomic<std::size_t> tail_{0};  // next to be filled
};

}  // namespace pliant
