// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/number_type.hpp"

#include <algorithm>

namespace pliant::io {
namespace {

template <class From, class To>
bool decode_as(std::string_view bytes, std::endian order, std::vector<To>& out) {
  const std::size_t count = bytes.size() / sizeof(From);
  out.reserve(out.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    char item[sizeof(From)];
    std::memcpy(item, bytes.data() + i * sizeof(From), sizeof(From));
    if (order != std::endian::native) std::reverse(item, item + sizeof(From));
    From from;
    std::memcpy(&from, item, sizeof(From));
    To to;
    if (!convert(from, to)) return false;
    out.push_back(to);
  }
  return true;
}

template <class To>
bool decode_any(std::string_view bytes, NumberType type, std::endian order, std::vector<To>& out) {
  switch (type) {
    case NumberType::int8:
      return decode_as<std::int8_t>(bytes, order, out);
    case NumberType::uint8:
      return decode_as<std::uint8_t>(bytes, order, out);
    case NumberType::int16:
      return decode_as<std::int16_t>(bytes, order, out);
    case NumberType::uint16:
      return decode_as<std::uint16_t>(bytes, order, out);
    case NumberType::int32:
      return decode_as<std::int32_t>(bytes, order, out);
    case NumberType::uint32:
      return decode_as<std::uint32_t>(bytes, order, out);
    case NumberType::int64:
      return decode_as<std::int64_t>(bytes, order, out);
    case NumberType::uint64:
      return decode_as<std::uint64_t>(bytes, order, out);
    case NumberType::float32:
      return decode_as<float>(bytes, order, out);
    case NumberType::float64:
      return decode_as<double>(bytes, order, out);
  }
  return false;
}

}  // namespace

bool decode(std::string_view bytes, NumberType type, std::endian order, std::vector<double>& out) {
  return decode_any(bytes, type, order, out);
}

bool decode(std::string_view bytes, NumberType type, std::endian order,
            std::vector<std::int64_t>& out) {
  return decode_any(bytes, type, order, out);
}

}  // namespace pliant::io
