// SPDX-License-Identifier: MIT
#include "fuzz.hpp"
#include "pliant/mesh/io/veg.hpp"

// Every included file is the second half of the input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  return fuzz::run(data, size, [](const io::Source& source, ReadReport& report) {
    const auto load = [&](const std::string&) {
      return std::string(source.bytes.substr(source.bytes.size() / 2));
    };
    return io::read_veg(source, load, report);
  });
}
