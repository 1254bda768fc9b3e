// SPDX-License-Identifier: MIT
#include "pliant/fem/damping_table.hpp"

namespace pliant {

const table::Table<Damping>& damping_table() {
  static const table::Table<Damping> all = [] {
    table::Table<Damping> t("Rayleigh damping D = alpha M + beta K.");
    t.key({.name = "alpha",
           .unit = "1/s",
           .least = 0,
           .description = "Factor of the mass: slows all motion alike."},
          &Damping::alpha);
    t.key({.name = "beta",
           .unit = "s",
           .least = 0,
           .description = "Factor of the stiffness: takes out fast vibrations first."},
          &Damping::beta);
    return t;
  }();
  return all;
}

KeyInfo newmark_beta() {
  return {.name = "beta",
          .least = 0,
          .most = 1,
          .above = true,
          .description = "Newmark's beta; 0.25 keeps the energy of a linear body."};
}
KeyInfo newmark_gamma() {
  return {.name = "gamma",
          .least = 0.5,
          .most = 1,
          .description = "Newmark's gamma; 0.5 is of second order, more damps."};
}
KeyInfo newton_iterations(const char* description) {
  return {.name = "max_iterations", .least = 1, .most = 1000, .description = description};
}
KeyInfo newton_tolerance() {
  return {.name = "tolerance",
          .least = 0,
          .most = 1,
          .above = true,
          .description = "Relative residual at which Newton's iteration ends."};
}

}  // namespace pliant
