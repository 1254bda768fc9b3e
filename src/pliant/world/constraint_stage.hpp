// SPDX-License-Identifier: MIT
// The stage in which bodies step whose collisions are constraints: before all others, which then
// feel what these did to them in the same step. Rigid bodies are obstacles to them.
#pragma once

#include "pliant/world/world_data.hpp"

namespace pliant::stages {

void constrained_step(WorldData& world) noexcept;

}  // namespace pliant::stages
