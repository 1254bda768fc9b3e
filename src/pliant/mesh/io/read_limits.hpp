// SPDX-License-Identifier: MIT
// What reading one file may take. All readers estimate before they allocate, and refuse with an Error
// what would take more.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace pliant {

struct ReadLimits {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  // of memory
  int elements = 500'000'000;  // items of any kind, each; keeps 4 x count in an int

  // Half of the memory of the machine.
  static ReadLimits of_this_machine();
};

namespace io {

// Throws Error if reading `file` would take more.
void require_within(const ReadLimits& limits, double bytes, const std::string& file);

// The memory for what a compressed file unfolds to. Of a file of s bytes it may be 64 MB + 100 s at
// most: meshes do not get smaller by more, only a file that is made to fill the memory does.
class ReadBudget {
 public:
  ReadBudget(const ReadLimits& limits, std::uint64_t file_bytes);

  // Whether there is room for so many bytes more; then they are taken.
  bool take(double bytes);
  std::uint64_t allowed() const { return allowed_; }

 private:
  std::uint64_t allowed_;
  double taken_ = 0.0;
};

}  // namespace io
}  // namespace pliant
