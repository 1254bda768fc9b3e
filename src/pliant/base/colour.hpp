// SPDX-License-Identifier: MIT
// A colour as a screen shows it (sRGB).
#pragma once

#include <cstdint>

namespace pliant {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

}  // namespace pliant
