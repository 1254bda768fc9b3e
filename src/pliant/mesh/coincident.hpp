// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

// For each point the lowest index of a point at exactly the same place (0.0 and -0.0 are the same),
// its own if there is no other. O(n log n) whatever the input; the points must not be NaN.
VectorXi first_at_same_place(const Matrix3Xd& points);

}  // namespace pliant
