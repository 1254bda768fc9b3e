// SPDX-License-Identifier: MIT
// Refuses a setting that cannot be used, before anything moves.
#pragma once

#include <cmath>
#include <string>

#include "pliant/base/error.hpp"

namespace pliant {

// Throws Error unless the value is finite and `good`. `what`: of what it is a setting.
inline void check_number(const char* what, const char* name, double value, bool good,
                         const char* expected) {
  if (std::isfinite(value) && good) return;
  throw Error({{}, 0, what}, std::string(name) + " cannot be used", std::to_string(value),
              expected);
}

}  // namespace pliant
