// SPDX-License-Identifier: MIT
// Keys that several engines have: Rayleigh damping, and the constants of implicit steps.
#pragma once

#include "pliant/fem/damping.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

const table::Table<Damping>& damping_table();

// Newmark's constants are those of a stable implicit scheme.
KeyInfo newmark_beta();
KeyInfo newmark_gamma();
KeyInfo newton_iterations(const char* description);
KeyInfo newton_tolerance();

}  // namespace pliant
