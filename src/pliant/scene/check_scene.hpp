// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/scene/scene.hpp"
#include "pliant/table/value.hpp"

namespace pliant::scene {

using namespace table;

// What one key says about another: names that nothing has, options that do not go together. Throws
// Error at the place in `root`, the tree that the scene was read from. Internal.
void check_scene(const Scene& scene, const Value& root);

}  // namespace pliant::scene
