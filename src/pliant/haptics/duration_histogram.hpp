// SPDX-License-Identifier: MIT
// A histogram of durations in buckets that are fixed from the start: exact below 64 ns, then 32
// buckets to each power of two, so that a quantile is at most 1/32 too large. Durations of 2^41 ns
// (37 minutes) and more share the last bucket; the largest one is kept as it is.
//
// One thread adds; any other may read meanwhile, and sees each count as it was at some moment.
// Nothing is allocated.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>

namespace pliant {

class DurationHistogram {
 public:
  void add(std::int64_t ns) noexcept {
    ns = std::max<std::int64_t>(ns, 0);
    increase(buckets_[bucket_of(ns)]);
    if (ns > max_.load(std::memory_order_relaxed)) max_.store(ns, std::memory_order_relaxed);
    increase(count_);
  }
  // By the thread that adds.
  void clear() noexcept {
    for (auto& bucket : buckets_) bucket.store(0, std::memory_order_relaxed);
    count_.store(0, std::memory_order_relaxed);
    max_.store(0, std::memory_order_relaxed);
  }

  std::uint64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  std::int64_t max() const noexcept { return max_.load(std::memory_order_relaxed); }

  // How many were shorter than 2^bits ns, 6 <= bits <= 41.
  std::uint64_t count_below(int bits) const noexcept {
    std::uint64_t sum = 0;
    const std::size_t end = bucket_of(std::int64_t{1} << bits);
    for (std::size_t b = 0; b < end; ++b) sum += buckets_[b].load(std::memory_order_relaxed);
    return sum;
  }

  // The duration that a part `p` of all (0 < p <= 1) do not exceed [ns]; 0 if there are none.
  std::int64_t quantile(double p) const noexcept {
    const double wanted = std::ceil(p * static_cast<double>(count()));
    double below = 0;
    for (std::size_t b = 0; b < bucket_count; ++b) {
      below += static_cast<double>(buckets_[b].load(std::memory_order_relaxed));
      if (below > 0 && below >= wanted && b + 1 < bucket_count) return std::min(last_of(b), max());
    }
    return max();
  }

 private:
  static constexpr int linear_bits = 5, largest_bits = 41;
  static constexpr std::size_t linear = std::size_t{1} << linear_bits;
  static constexpr std::size_t bucket_count = linear * (largest_bits - linear_bits + 1);

  // The highest bit says which power of two, the next linear_bits which part of it.
  static std::size_t bucket_of(std::int64_t ns) noexcept {
    const auto x = static_cast<std::uint64_t>(ns);
    const int shift = std::max(static_cast<int>(std::bit_width(x)) - linear_bits - 1, 0);
    const std::size_t bucket = linear * static_cast<std::size_t>(shift) + (x >> shift);
    return std::min(bucket, bucket_count - 1);
  }
  // The largest duration of bucket b.
  static std::int64_t last_of(std::size_t b) noexcept {
    if (b < 2 * linear) return static_cast<std::int64_t>(b);
    const std::size_t shift = b / linear - 1;
    return static_cast<std::int64_t>(((b % linear + linear + 1) << shift) - 1);
  }
  // There is one writer: no locked instruction is needed.
  static void increase(std::atomic<std::uint64_t>& x) noexcept {
    x.store(x.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::array<std::atomic<std::uint64_t>, bucket_count> buckets_{};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::int64_t> max_{0};
};

}  // namespace pliant
