// SPDX-License-Identifier: MIT
// A material law (laws.hpp) at four points at once, chosen at run time: for what evaluates points
// and not elements. Lane l of each pack is point l; nothing is allocated.
#pragma once

#include "pliant/fem/laws.hpp"
#include "pliant/fem/material.hpp"

namespace pliant::fem {

constexpr int most_constants = 21;  // of any law

struct PointLaw {
  int constants;  // packs that are read from p
  void (*energy)(const Pack* p, const Pack* F, Pack& psi) noexcept;
  void (*stress)(const Pack* p, const Pack* F, Pack* P) noexcept;
  void (*tangent)(const Pack* p, const Pack* F, Pack* P, Pack* A) noexcept;  // P too
};

int constant_count(Law law, bool isotropic);

// Throws Error for a material with another number of constants than its law has, or constants that
// are not finite.
PointLaw point_law(const Material& material);

}  // namespace pliant::fem
