// SPDX-License-Identifier: MIT
// The part of contact in which engines solve for what is rigid and presses on their bodies: what they
// find becomes a load, with its tangent, of what presses.
#pragma once

#include "pliant/world/world_data.hpp"

namespace pliant::stages {

// After the boxes of this step are known.
void press(WorldData& world) noexcept;

}  // namespace pliant::stages
