// SPDX-License-Identifier: MIT
// Numbers whose type only the file knows, as text and in binary arrays.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pliant/mesh/io/source.hpp"

namespace pliant::io {

enum class NumberType : std::uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

constexpr std::size_t size_of(NumberType type) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

// A number of a file as a coordinate or as a whole number; false: it is not whole.
template <class From>
bool convert(From from, double& to) {
  to = static_cast<double>(from);
  return true;
}
template <class From>
bool convert(From from, std::int64_t& to) {
  if constexpr (std::floating_point<From>) {
    if (!(std::abs(from) <= From(1LL << 53)) || std::trunc(from) != from) return false;
  }
  to = static_cast<std::int64_t>(from);
  return true;
}

// The next token as a number that a file declares to be of this type.
template <class To>
To need_number(TextReader& text, NumberType type, const char* what) {
  if constexpr (std::is_same_v<To, double>) {
    return text.need_double(what);
  } else {
    if (type != NumberType::float32 && type != NumberType::float64) return text.need_integer(what);
    To value;
    if (!convert(text.need_double(what), value)) text.fail("not a whole number", "", what);
    return value;
  }
}

// Appends the numbers in `bytes` to `out`; false if one cannot be converted.
bool decode(std::string_view bytes, NumberType type, std::endian order, std::vector<double>& out);
bool decode(std::string_view bytes, NumberType type, std::endian order,
            std::vector<std::int64_t>& out);

}  // namespace pliant::io
