// SPDX-License-Identifier: MIT
// The recorded motion of a device as the asset carries it: a column a point,
//
//   time, x, y, z, qw, qx, qy, qz, buttons, gripper          [s, m]
#pragma once

#include <filesystem>

#include "pliant/base/types.hpp"

namespace pliant {

// From CSV (haptics/hand_motion.hpp), or from a recording of cycles, of which those count in which the
// device was there. Throws Error with the line or the row.
MatrixXd read_trajectory(const std::filesystem::path& path);

}  // namespace pliant
