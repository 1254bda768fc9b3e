// SPDX-License-Identifier: MIT
// The spring of a hand on a body: what suits it, and what its steps can bear.
#pragma once

#include "pliant/world/engine.hpp"

namespace pliant {

struct BodyModel;

// Of a body's model, made once.
struct HandFit {
  double suits = 0.0;     // N/m: a point of the body goes nearly where the hand is; 0: none moves
  double mobility = 0.0;  // of the point that is moved most easily [1/kg]
};

// `rest`: a body of the model at rest; `regions`: what it is made of. Allocates.
HandFit fit_hand(BodyModel& model, const Motion& rest, std::span<const BodyRegion> regions);

// How easily a point is moved, in the direction in which that is easiest: 1/m [1/kg]; 0: it is held.
double mobility_of(BodyModel& model, const Motion& motion, Index point) noexcept;

// The stiffest spring that steps can bear which feel it late, at a point of this mobility [N/m];
// infinite for those that take it implicitly.
double stiffest_hand(const BodyModel& model, double mobility) noexcept;

}  // namespace pliant
