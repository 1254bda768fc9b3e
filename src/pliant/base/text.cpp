// SPDX-License-Identifier: MIT
#include "pliant/base/text.hpp"

#include <cstdio>
#include <cstdlib>

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

}  // namespace pliant
