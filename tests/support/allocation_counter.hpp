// SPDX-License-Identifier: MIT
// Counts the heap allocations of this thread while it lives, by malloc and all its kin (Eigen calls
// malloc itself). In a sanitizer's build the sanitizer owns malloc and nothing is counted.
#pragma once

namespace pliant::test {

class AllocationCounter {
 public:
  AllocationCounter();
  long count() const;       // since construction
  static bool can_count();  // false in a sanitizer's build

 private:
  long start_;
};

// While it lives, allocations of this thread fail after the next `successes`, as if the memory were
// used up. Nothing fails where nothing is counted.
class AllocationFailure {
 public:
  explicit AllocationFailure(long successes);
  ~AllocationFailure();
  AllocationFailure(const AllocationFailure&) = delete;
  AllocationFailure& operator=(const AllocationFailure&) = delete;
};

}  // namespace pliant::test
