// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

// For each vertex (column of V) the one that stands for it: the lowest index among those connected
// to it by steps of at most `tolerance` [m]; 0: among those at exactly the same place.
std::vector<int> merged_vertices(const Matrix3Xd& V, double tolerance);

}  // namespace pliant
