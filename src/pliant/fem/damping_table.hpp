// SPDX-License-Identifier: MIT
// The keys of Rayleigh damping, the same for every engine that has it.
#pragma once

#include "pliant/fem/damping.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

const table::Table<Damping>& damping_table();

}  // namespace pliant
