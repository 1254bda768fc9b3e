// SPDX-License-Identifier: MIT
#include "pliant/mesh/length_unit.hpp"

#include <cmath>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double longest_drawn_in_metres = 5;
constexpr double largest = 100, smallest = 5e-4;               // m: beyond them it is odd
constexpr double likely_largest = 10, likely_smallest = 5e-3;  // m

std::string text_of(double metres) {
  if (metres >= 1e3) return fmt::format("{:.3g} km", metres / 1e3);
  if (metres >= 1) return fmt::format("{:.3g} m", metres);
  if (metres >= 1e-3) return fmt::format("{:.3g} mm", metres * 1e3);
  return fmt::format("{:.3g} um", metres * 1e6);
}

}  // namespace

const LengthUnit& likely_unit(double length) {
  return length > longest_drawn_in_metres ? length_units.front() : length_units.back();
}

std::string size_doubt(double metres, double metres_per_unit) {
  if (!(metres > largest || metres < smallest) || !std::isfinite(metres) || metres <= 0) return "";
  for (const LengthUnit& unit : length_units) {
    const double other = metres / metres_per_unit * unit.metres;
    if (other >= likely_smallest && other <= likely_largest) {
      return fmt::format("{} long: is the file in {} ({})?", text_of(metres), unit.name,
                         text_of(other));
    }
  }
  return fmt::format("{} long: is that so?", text_of(metres));
}

}  // namespace pliant
