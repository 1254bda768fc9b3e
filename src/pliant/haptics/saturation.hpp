// SPDX-License-Identifier: MIT
// A spring that is linear at first and never pulls harder than a limit: [Barbic07] 4.9.
//
//   f(r) = k r                                          for r <= r_lin = F_max / (2 k)
//   f(r) = F_max (1 - exp(2 k (r_lin - r) / F_max) / 2)   beyond                            (4.39)
//
// or, beyond r_lin, the cubic with the same slope there that reaches F_max at 3 r_lin with slope 0.
// Both have a continuous slope. (The exponential is missing in print.)
#pragma once

#include <cmath>
#include <limits>

namespace pliant {

struct Saturation {
  enum class Curve { exponential, cubic };

  double stiffness = 1.0;                                  // k
  double limit = std::numeric_limits<double>::infinity();  // F_max: none
  Curve curve = Curve::exponential;

  struct Value {
    double force, slope;  // f and f'
  };
  // r >= 0
  Value at(double r) const noexcept {
    const double linear = 0.5 * limit / stiffness;
    if (!(r > linear)) return {stiffness * r, stiffness};
    if (curve == Curve::exponential) {
      const double e = std::exp(2 * stiffness * (linear - r) / limit);
      return {limit * (1 - 0.5 * e), stiffness * e};
    }
    const double t = 0.5 * (r / linear - 1);  // 0 at r_lin, 1 at 3 r_lin
    if (t >= 1) return {limit, 0.0};
    // f(0) = F/2, f'(0) = 2 r_lin k = F, f(1) = F, f'(1) = 0: the cubic term is zero.
    return {limit * (0.5 + t - 0.5 * t * t), stiffness * (1 - t)};
  }
};

}  // namespace pliant
