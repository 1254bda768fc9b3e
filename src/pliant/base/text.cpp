// SPDX-License-Identifier: MIT
#include "pliant/base/text.hpp"

#include <cstdio>

namespace pliant {

std::string text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", value);
  return digits;
}

}  // namespace pliant
