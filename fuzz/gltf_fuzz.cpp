// SPDX-License-Identifier: MIT
#include "fuzz.hpp"
#include "pliant/mesh/io/gltf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Any file that it names holds these bytes too.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const pliant::io::Load load = [&](const std::string&) { return std::string(bytes); };
  return pliant::fuzz::run(data, size,
                           [&](const pliant::io::Source& source, pliant::ReadReport& report) {
                             return pliant::io::read_gltf(source, load, report);
                           });
}
