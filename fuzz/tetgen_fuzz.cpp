// SPDX-License-Identifier: MIT
#include <algorithm>

#include "fuzz.hpp"
#include "pliant/mesh/io/tetgen.hpp"

// The two files are separated by '|'.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  return fuzz::run(data, size, [](const io::Source& both, ReadReport& report) {
    const std::size_t cut = std::min(both.bytes.find('|'), both.bytes.size());
    const std::size_t second = std::min(cut + 1, both.bytes.size());
    return io::read_tetgen({"node", both.bytes.substr(0, cut)}, {"ele", both.bytes.substr(second)},
                           report);
  });
}
