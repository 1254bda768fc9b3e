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

}  // namespace pliant::test
