// SPDX-License-Identifier: MIT
// Points in an order in which each is the farthest from all before it, so that any beginning of the
// order is spread over all of them: [Barbic07] 3.9.1, for points that no repulsion has made.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

// The first `count` of the order are found, beginning with the point farthest from the middle; the
// others follow as they are. n count / 2 distances.
std::vector<int> farthest_order(const Matrix3Xd& X, Index count);

}  // namespace pliant
