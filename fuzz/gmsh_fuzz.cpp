// SPDX-License-Identifier: MIT
#include "fuzz.hpp"
#include "pliant/mesh/io/gmsh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return pliant::fuzz::run(data, size, pliant::io::read_gmsh);
}
