// SPDX-License-Identifier: MIT
// The keys of Rayleigh damping, the same for every engine that has it.
#pragma once

#include <string>

#include "pliant/fem/damping.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

const table::Table<Damping>& damping_table();
// "damping 1/s M + 0.001 s K", "undamped".
std::string words_of(const Damping& damping);

}  // namespace pliant
