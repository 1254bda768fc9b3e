// SPDX-License-Identifier: MIT
#include "machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "pliant/serve/page_files.hpp"

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

// The text behind "key :" in a file of such lines, as in /proc; empty if it is not there.
std::string value_of(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == line.npos ? "" : line.substr(begin);
  }
  return "";
}

std::string first_word(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

double gigabytes_of(const std::string& kilobytes) {
  return std::strtod(kilobytes.c_str(), nullptr) * 1024 / 1e9;
}

std::vector<std::string> simd() {
  std::vector<std::string> found;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) found.emplace_back("AVX2");
  if (__builtin_cpu_supports("fma")) found.emplace_back("FMA");
  if (__builtin_cpu_supports("avx512f")) found.emplace_back("AVX-512");
#endif
  return found;
}

std::vector<std::string> governors() {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/sys/devices/system/cpu", ignored)) {
    const std::string governor = first_word(entry.path() / "cpufreq" / "scaling_governor");
    if (!governor.empty()) found.push_back(governor);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

rlim_t limit_of(int resource) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  return limit.rlim_cur;
}

std::optional<fs::path> program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

}  // namespace

Machine this_machine() {
  Machine m;
  m.processor = value_of("/proc/cpuinfo", "model name");
  m.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  cpu_set_t set;
  m.usable_cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : m.cores;
  m.simd = simd();
  m.governors = governors();
  m.virtual_machine =
      (" " + value_of("/proc/cpuinfo", "flags") + " ").find(" hypervisor ") != std::string::npos;
  utsname system{};
  if (uname(&system) == 0) {
    m.kernel = fmt::format("{} {}", system.sysname, system.release);
    m.preempt_rt = std::string(system.version).find("PREEMPT_RT") != std::string::npos;
  }
  getloadavg(&m.load, 1);
  m.memory_gb = gigabytes_of(value_of("/proc/meminfo", "MemTotal"));
  m.available_gb = gigabytes_of(value_of("/proc/meminfo", "MemAvailable"));
  const rlim_t priority = limit_of(RLIMIT_RTPRIO), locked = limit_of(RLIMIT_MEMLOCK);
  m.priority_limit = priority == RLIM_INFINITY ? -1 : static_cast<long>(priority);
  m.locked_memory_limit_gb = locked == RLIM_INFINITY ? -1 : static_cast<double>(locked) / 1e9;
  return m;
}

double free_disk_gb(fs::path folder) {
  std::error_code error;
  while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  const fs::space_info space = fs::space(folder, error);
  return error ? -1 : static_cast<double>(space.available) / 1e9;
}

Json optional_parts() {
  Json parts;
  parts["CHOLMOD"] = PLIANT_WITH_CHOLMOD
                         ? "built in"
                         : "not built in: the sparse solver is Eigen's, which is slower";
  parts["page of the viewer"] =
      serve::page_files().empty()
          ? "not built in: `pliant play` has no page (install nodejs and npm, build again)"
          : "built in";
  const struct {
    const char *name, *purpose;
  } programs[] = {{"chromium", "pictures of the viewer, in tests"},
                  {"node", "tests of the viewer and of exported glTF"},
                  {"python3", "tests of the command"},
                  {"ccx", "CalculiX, an independent judge in the tests of fem/"},
                  {"paraview", "opens the VTU files"}};
  for (const auto& [name, purpose] : programs) {
    const auto found = program(name);
    parts[name] = found ? found->string() : fmt::format("absent ({})", purpose);
  }
  return parts;
}

}  // namespace pliant::app
