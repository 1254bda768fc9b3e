// SPDX-License-Identifier: MIT
// Any bytes must end in pliant::Error or in a scene that has a canonical form.
#include <cstdint>

#include "pliant/base/error.hpp"
#include "pliant/scene/canonical.hpp"
#include "pliant/scene/read_scene.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    pliant::canonical(pliant::parse_scene({reinterpret_cast<const char*>(data), size}, "fuzz", ""));
  } catch (const pliant::Error&) {
  }
  return 0;
}
