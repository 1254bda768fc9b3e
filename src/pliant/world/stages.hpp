// SPDX-License-Identifier: MIT
// The stages of a cycle, in their order. Each is a function on the arrays of a world, bounded work
// without allocation, and can be run alone.
//
//   commands -> wind -> clear_loads -> gravity -> pulls -> contact (contact_stage.hpp)
//            -> hold (hold.hpp) -> (loads of others) -> step -> publish
#pragma once

#include "pliant/world/world_data.hpp"

namespace pliant::stages {

// Does what a command asks for, or says why not.
Refusal obey(WorldData& world, const Command& command) noexcept;
// Obeys, and keeps account of what was refused.
void take(WorldData& world, const Command& command) noexcept;

// Whether a step is due in this cycle: none while paused, a part of one when slowed down.
bool due(WorldData& world) noexcept;

// Into the slow loads. Every step looks at a part of the points; when all were seen, their forces act
// until all were seen again. So the work of a step is bounded, and small.
void wind(WorldData& world) noexcept;
// The loads of the step become the slow ones.
void clear_loads(WorldData& world) noexcept;
void gravity(WorldData& world) noexcept;
// Hands: springs are taken implicitly by bodies that can.
void pulls(WorldData& world) noexcept;

// Runs body(i) for 0 <= i < count, in any order; for worlds of many bodies that do not run in real
// time. A plain loop by default.
using ForEach = void (*)(int count, void (*body)(void* context, int i) noexcept,
                         void* context) noexcept;
void one_by_one(int count, void (*body)(void* context, int i) noexcept, void* context) noexcept;

// All bodies under their loads; counts what the engines say.
StepStatus step(WorldData& world, ForEach for_each = one_by_one) noexcept;

// `out` has been made for this world.
void publish(WorldData& world, WorldState& out) noexcept;

// To rest, as the scene says, everything released.
void reset(WorldData& world) noexcept;

// The spring that is used where `wanted` [N/m] is asked for at a point; 0 wanted: one that suits the
// body. 0 where nothing moves.
double pull_stiffness(WorldData& world, int body, int point, double wanted) noexcept;

}  // namespace pliant::stages
