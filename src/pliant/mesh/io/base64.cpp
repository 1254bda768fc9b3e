// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/base64.hpp"

#include <array>
#include <cstdint>

namespace pliant::io {
namespace {

constexpr std::uint8_t bad = 255, padding = 254, blank = 253;

constexpr std::array<std::uint8_t, 256> values = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(bad);
  std::uint8_t value = 0;
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789+/")) {
    table[static_cast<unsigned char>(c)] = value++;
  }
  table['='] = padding;
  for (const unsigned char c : {' ', '\t', '\r', '\n'}) table[c] = blank;
  return table;
}();

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  Base64Reader reader(text);
  std::string bytes(reader.at_most_left(), '\0');
  bytes.resize(reader.read(bytes.data(), bytes.size()));
  if (!reader.at_end()) return std::nullopt;
  return bytes;
}

// Four characters make three bytes, fewer by one for each '=' (or none, at the end of the text).
bool Base64Reader::next_quad() {
  const std::size_t begin = position_;
  std::uint32_t bits = 0;
  std::size_t digits = 0, pads = 0;
  while (digits + pads < 4) {
    const std::uint8_t value =
        at_end() ? padding : values[static_cast<unsigned char>(text_[position_])];
    if (at_end() && digits == 0) return false;
    const bool misplaced = value == padding ? digits < 2 : value != blank && pads > 0;
    if (value == bad || misplaced) {
      position_ = begin;
      return false;
    }
    if (!at_end()) ++position_;
    if (value == blank) continue;
    ++(value == padding ? pads : digits);
    bits = bits << 6 | (value == padding ? 0U : value);
  }
  for (std::size_t k = 0; k < 3; ++k) pending_[k] = static_cast<char>(bits >> (16 - 8 * k) & 255);
  pending_begin_ = 0;
  pending_end_ = 3 - pads;
  return true;
}

std::size_t Base64Reader::read(char* out, std::size_t size) {
  for (std::size_t done = 0; done < size; ++done) {
    if (pending_begin_ == pending_end_ && !next_quad()) return done;
    out[done] = pending_[pending_begin_++];
  }
  return size;
}

}  // namespace pliant::io
