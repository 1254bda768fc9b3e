// SPDX-License-Identifier: MIT
// The stage of a cycle in which bodies meet: after what pulls at them, before they step.
//
// Bodies whose boxes overlap, found by a sweep along x, are near; of those, the points of one in the
// distance field of the other (contact/contact_pair.hpp). Pairs are looked at in an order that
// follows from where the bodies are alone: the same bits every time.
#pragma once

#include "pliant/world/world_data.hpp"

namespace pliant::stages {

void contact(WorldData& world) noexcept;

// Nothing that was found in an earlier step counts any more: after jumps and edits.
void forget_contact(WorldData& world) noexcept;

}  // namespace pliant::stages
