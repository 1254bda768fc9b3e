// SPDX-License-Identifier: MIT
// Numbers and paths as texts show them, where no library for texts is linked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pliant {

// Six digits, without trailing zeros: 0.25, 1e-07, inf.
std::string text(double value);
// As few digits as it takes to be read back as the same number.
std::string exact_text(double value);
// An amount of memory: 512 bytes, 1.4 MB, 31 GB.
std::string bytes_text(std::uint64_t bytes);
// A word of a command line, in quotes if a shell needs them.
std::string shell_word(std::string_view word);

}  // namespace pliant
