// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

// The six rigid motions of a body about its centre, linearised: 3 n by 6 for X 3 by n. Columns 0-2
// are translations, 3-5 rotations (e_k × (x - centre)). Independent unless all points lie on a
// line.
MatrixXd rigid_modes(const Matrix3Xd& X);

}  // namespace pliant
