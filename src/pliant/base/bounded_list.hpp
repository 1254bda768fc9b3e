// SPDX-License-Identifier: MIT
// A list of at most N items, stored in place: copies have room for as many, and nothing is allocated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace pliant {

template <class T, std::size_t N>
class BoundedList {
 public:
  BoundedList() = default;
  BoundedList(const BoundedList& other) { *this = other; }
  BoundedList& operator=(const BoundedList& other) noexcept {
    assign(std::span<const T>(other.items_.data(), other.count_));
    return *this;
  }

  // The first N of them.
  void assign(std::span<const T> items) noexcept {
    count_ = std::min(items.size(), N);
    std::copy_n(items.begin(), count_, items_.begin());
  }
  void clear() noexcept { count_ = 0; }

  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  const T* begin() const noexcept { return items_.data(); }
  const T* end() const noexcept { return items_.data() + count_; }

 private:
  std::array<T, N> items_{};
  std::size_t count_ = 0;
};

}  // namespace pliant
