// SPDX-License-Identifier: MIT
#pragma once

namespace pliant {

// Rayleigh damping D = alpha M + beta K(u). [Barbic07] 2.7
struct Damping {
  double alpha = 0.0;  // 1/s
  double beta = 0.0;   // s
};

// Strain-rate damping: the stress phi tr(E') I + 2 psi E' of the rate E' of the Green-Lagrange
// strain. It resists deformation alone, whatever the materials. [Barbic07] 2.7
struct Viscosity {
  double phi = 0.0, psi = 0.0;  // Pa s
  bool operator==(const Viscosity&) const = default;
};

}  // namespace pliant
