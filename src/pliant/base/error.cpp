// SPDX-License-Identifier: MIT
#include "pliant/base/error.hpp"

#include <algorithm>
#include <cstdint>

namespace pliant {
namespace {

constexpr std::size_t longest_value = 80;

std::string compose(const Place& place, const std::string& message, const std::string& value,
                    const std::string& expected) {
  std::string text;
  if (!place.file.empty()) {
    text += place.file;
    if (place.line > 0) {
      text += ":" + std::to_string(place.line);
      if (place.column > 0) text += ":" + std::to_string(place.column);
    }
    text += ": ";
  }
  if (!place.item.empty()) text += place.item + ": ";
  text += message;
  if (!value.empty()) text += ": found '" + printable(value) + "'";
  if (!expected.empty()) text += (value.empty() ? ": expected " : ", expected ") + expected;
  return text;
}

// The bytes of the character that `text` begins with; 0 if it is not UTF-8 or not to be shown.
std::size_t shown_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= ' ' && first <= '~' ? 1 : 0;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || size > text.size()) return 0;
  std::uint32_t code = first & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool control = code < 0xa0 || code == 0x200e || code == 0x200f ||
                       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return overlong || surrogate || control || code > 0x10ffff ? 0 : size;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = shown_bytes(text);
    if (out.size() + std::max<std::size_t>(size, 1) > longest_value) return out + "...";
    out += size > 0 ? text.substr(0, size) : "?";
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

Error::Error(const std::string& message) : std::runtime_error(message) {}

Error::Error(Place place, const std::string& message, const std::string& value,
             const std::string& expected)
    : std::runtime_error(compose(place, message, value, expected)), place_(std::move(place)) {}

}  // namespace pliant
