// SPDX-License-Identifier: MIT
// Who meets whom in a world, how, and how hard: settled once, when the world is made. Formulas are
// the best field, then a rigid grid, then one that is bent; the stiffness follows from that of a
// hand on the softer of the two.
#pragma once

#include "pliant/world/contact_data.hpp"

namespace pliant {

// contact.models is there; the rules, the constraints, what bodies are to themselves and whether
// anybody meets follow. Throws Error: a pair of bodies that are not there or cannot meet as it says,
// an engine that takes no constraints.
void make_contact_rules(const AssetHead& head, const WorldData& world, ContactData& contact);

}  // namespace pliant
