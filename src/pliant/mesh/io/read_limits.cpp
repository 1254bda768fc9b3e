// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/read_limits.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

ReadLimits ReadLimits::of_this_machine() {
  return {.bytes = physical_memory() / 2};
}

namespace io {
namespace {

constexpr std::uint64_t free_bytes = 64'000'000, most_ratio = 100;

}  // namespace

void require_within(const ReadLimits& limits, double bytes, const std::string& file) {
  if (bytes <= static_cast<double>(limits.bytes)) return;
  constexpr double most = 1e18;
  throw Error({file, 0, ""}, "reading the file would take too much memory",
              bytes_text(static_cast<std::uint64_t>(std::min(bytes, most))),
              "at most " + bytes_text(limits.bytes));
}

ReadBudget::ReadBudget(const ReadLimits& limits, std::uint64_t file_bytes)
    : allowed_(std::min(limits.bytes, free_bytes + most_ratio * file_bytes)) {}

bool ReadBudget::take(double bytes) {
  taken_ += bytes;
  return taken_ <= static_cast<double>(allowed_);
}

}  // namespace io
}  // namespace pliant
