// SPDX-License-Identifier: MIT
#include "pliant/fem/damping_table.hpp"

namespace pliant {

const table::Table<Damping>& damping_table() {
  static const table::Table<Damping> table = [] {
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
  return table;
}

}  // namespace pliant
