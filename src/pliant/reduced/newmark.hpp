// SPDX-License-Identifier: MIT
// The implicit Newmark step; its formulas are in reduced_step.hpp.
#pragma once

#include "pliant/reduced/active_state.hpp"

namespace pliant {

// One step under the force x.f with the mass x.M.
StepStatus newmark_step(ActiveState& x) noexcept;

}  // namespace pliant
