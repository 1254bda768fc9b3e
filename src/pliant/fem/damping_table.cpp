// SPDX-License-Identifier: MIT
#include "pliant/fem/damping_table.hpp"

#include "pliant/base/text.hpp"

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

std::string words_of(const Damping& damping) {
  if (damping.alpha == 0 && damping.beta == 0) return "undamped";
  return "damping " + text(damping.alpha) + "/s M + " + text(damping.beta) + " s K";
}

}  // namespace pliant
