// SPDX-License-Identifier: MIT
#include "pliant/base/memory.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// The beginning of a small file of the system. Allocates nothing, as there may be nothing left.
struct SmallFile {
  explicit SmallFile(const char* path) {
    const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    const ssize_t size = ::read(descriptor, bytes, sizeof bytes);
    ::close(descriptor);
    text = {bytes, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }
  char bytes[4096];
  std::string_view text;
};

// The number behind the first `name` of the text, if there is one ("max" is none).
std::uint64_t number_behind(std::string_view name, std::string_view text) {
  const std::size_t at = text.find(name);
  if (at == text.npos) return unlimited;
  text.remove_prefix(at + name.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? value : unlimited;
}

std::uint64_t number_in(const char* path) {
  return number_behind("", SmallFile(path).text);
}

// A line "NAME:  123 kB" of /proc.
std::uint64_t kilobytes_in(const char* path, std::string_view name) {
  const std::uint64_t value = number_behind(name, SmallFile(path).text);
  return value == unlimited ? unlimited : 1024 * value;
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
      std::min(kilobytes_in("/proc/meminfo", "MemAvailable:"), physical_memory());
  const std::uint64_t group =
      left_of(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory.current"));
  rlimit limit{};
  std::uint64_t process = unlimited;
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    process = left_of(limit.rlim_cur, kilobytes_in("/proc/self/status", "VmSize:"));
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
