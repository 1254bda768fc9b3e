// SPDX-License-Identifier: MIT
// What kind of machine this is, as far as it matters to a loop at 1 kHz and to baking.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "describe.hpp"

namespace pliant::app {

struct Machine {
  std::string processor;
  int cores = 0;                       // online
  int usable_cores = 0;                // that this process may run on
  std::vector<std::string> simd;       // of AVX2, FMA, AVX-512
  std::vector<std::string> governors;  // of the frequency; empty: the kernel shows none
  bool virtual_machine = false;
  std::string kernel;
  bool preempt_rt = false;
  double load = 0;                         // mean number of running threads, last minute
  double memory_gb = 0, available_gb = 0;  // 1e9 bytes
  long priority_limit = 0;                 // RLIMIT_RTPRIO; -1: none
  double locked_memory_limit_gb = 0;       // RLIMIT_MEMLOCK; -1: none
};
Machine this_machine();

// Free space of the disk that holds `folder`, or the first folder above it that exists [1e9 bytes];
// negative if it cannot be told.
double free_disk_gb(std::filesystem::path folder);

// Programs and libraries that some commands or tests use if they are there: where, or what for.
Json optional_parts();

}  // namespace pliant::app
