// SPDX-License-Identifier: MIT
// The points of a pointshell in the order of a point tree: [Barbic07] 3.9.
//
// The points of level 0 are numbered along a space-filling (Morton) curve, those of every further
// level by their parent, and along the curve among those of one parent.
#pragma once

#include "pliant/contact/bake/pointshell.hpp"
#include "pliant/contact/point_tree.hpp"

namespace pliant {

// Reorders the shell, and gives the tree of its points.
PointTreeData nest(Pointshell& shell);

}  // namespace pliant
