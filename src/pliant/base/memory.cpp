// SPDX-License-Identifier: MIT
#include "pliant/base/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include <sys/resource.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// The number in a file that holds nothing else ("max" is none).
std::uint64_t number_in(const char* path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : unlimited;
}

// A line "NAME:  123 kB" of /proc.
std::uint64_t kilobytes_in(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::uint64_t value = 0;
    if (word == name + ":" && file >> value) return 1024 * value;
  }
  return unlimited;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) {
  if (limit == unlimited || used == unlimited) return unlimited;
  return limit > used ? limit - used : 0;
}

}  // namespace

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t available_memory() {
  const std::uint64_t machine =
      std::min(kilobytes_in("/proc/meminfo", "MemAvailable"), physical_memory());
  const std::uint64_t group =
      left_of(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory.current"));
  rlimit limit{};
  std::uint64_t process = unlimited;
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    process = left_of(limit.rlim_cur, kilobytes_in("/proc/self/status", "VmSize"));
  }
  return std::min({machine, group, process});
}

void require_memory(double bytes, const std::string& what, const std::string& advice) {
  const std::uint64_t there = available_memory();
  if (bytes <= static_cast<double>(there)) return;
  constexpr double most = 1e18;
  throw Error(what + " would take " +
              bytes_text(static_cast<std::uint64_t>(std::min(bytes, most))) + " of memory, and " +
              bytes_text(there) + " are there: " + advice);
}

}  // namespace pliant
