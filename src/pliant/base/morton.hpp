// SPDX-License-Identifier: MIT
// Morton codes: sorted by them, points of the unit cube come along a curve that fills it, neighbours
// mostly beside each other.
#pragma once

#include <cstdint>

#include "pliant/base/types.hpp"

namespace pliant {

// 21 bits of a coordinate each, taken in turn, x in the lowest place. 0 <= place <= 1.
inline std::uint64_t morton_code(const Vector3d& place) {
  const auto spread = [](double x) {
    auto i = static_cast<std::uint64_t>(x * 2097151.0);
    i = (i | i << 32) & 0x1f00000000ffff;
    i = (i | i << 16) & 0x1f0000ff0000ff;
    i = (i | i << 8) & 0x100f00f00f00f00f;
    i = (i | i << 4) & 0x10c30c30c30c30c3;
    return (i | i << 2) & 0x1249249249249249;
  };
  return spread(place[0]) | spread(place[1]) << 1 | spread(place[2]) << 2;
}

}  // namespace pliant
