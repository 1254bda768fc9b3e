// SPDX-License-Identifier: MIT
#include "pliant/fem/newmark_keys.hpp"

namespace pliant {

Key newmark_beta() {
  return {.name = "beta",
          .least = 0,
          .most = 1,
          .above = true,
          .description = "Newmark's beta; 0.25 keeps the energy of a linear body."};
}

Key newmark_gamma() {
  return {.name = "gamma",
          .least = 0.5,
          .most = 1,
          .description = "Newmark's gamma; 0.5 is of second order, more damps."};
}

Key newton_iterations(const char* description) {
  return {.name = "max_iterations", .least = 1, .most = 1000, .description = description};
}

Key newton_tolerance() {
  return {.name = "tolerance",
          .least = 0,
          .most = 1,
          .above = true,
          .description = "Relative residual at which Newton's iteration ends."};
}

}  // namespace pliant
