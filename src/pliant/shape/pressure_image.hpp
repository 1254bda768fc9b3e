// SPDX-License-Identifier: MIT
// A picture of what presses on a body: a rectangle in the body's frame, cut into taxels (cells of a
// sensor's skin), each with the force on it.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

struct PressureLayout {
  int columns = 0, rows = 0;                                 // 0: there is no picture
  Vector3d corner = Vector3d::Zero();                        // lower left [m]
  Vector3d right = Vector3d::Zero(), up = Vector3d::Zero();  // its whole sides [m]

  Index size() const { return Index{columns} * rows; }
};

struct PressureImage {
  PressureImage() = default;
  explicit PressureImage(const PressureLayout& layout)
      : columns(layout.columns), taxels(Eigen::VectorXf::Zero(layout.size())) {}

  int columns = 0;
  Eigen::VectorXf taxels;  // force along -(right x up) [N], row by row from the lower left
  float outside = 0.0;     // of all that presses, what is on no taxel [N]
};

}  // namespace pliant
