// SPDX-License-Identifier: MIT
// How much memory there is, asked before work that needs much of it: an Error at once is better than
// a machine that swaps, or std::bad_alloc after a minute.
#pragma once

#include <cstdint>
#include <string>

namespace pliant {

// That this process can still get [bytes]: what the machine has to give, within the limits of its
// control group and of the process.
std::uint64_t available_memory();
std::uint64_t physical_memory();  // of the machine [bytes]

// Throws Error if `bytes` are not available: "WHAT would take 31 GB of memory, and 22 GB are there:
// ADVICE".
void require_memory(double bytes, const std::string& what, const std::string& advice);

}  // namespace pliant
