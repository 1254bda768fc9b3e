// SPDX-License-Identifier: MIT
#include "pliant/base/text.hpp"

#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace pliant {

std::string text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", value);
  return digits;
}

std::string exact_text(double value) {
  char digits[32];
  for (int precision = 6; precision <= 17; ++precision) {
    std::snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (std::strtod(digits, nullptr) == value) break;
  }
  return digits;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " bytes";
  constexpr const char* units[] = {"kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  char digits[32];
  std::snprintf(digits, sizeof digits, value < 9.95 ? "%.1f" : "%.0f", value);
  return std::string(digits) + " " + units[unit];
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=+,@%";
  bool safe = !word.empty();
  for (const char c : word) {
    safe = safe && (static_cast<unsigned char>(c) >= 0x80 || plain.find(c) != plain.npos);
  }
  if (safe) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace pliant
