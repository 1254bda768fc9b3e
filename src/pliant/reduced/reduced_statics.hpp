// SPDX-License-Identifier: MIT
// Equilibrium of a reduced body: R(q) = f, by Newton's method on the potential V(q) - f.q with a
// line search that lets it fall. Where rounding hides the fall, the residual must halve.
#pragma once

#include "pliant/reduced/active_state.hpp"

namespace pliant {

// From x.q under x.f, at most max_iterations; v and a are left as they are.
StepStatus find_equilibrium(ActiveState& x, int max_iterations, double tolerance) noexcept;

}  // namespace pliant
