// SPDX-License-Identifier: MIT
// On which side does a point lie? Exact signs of determinants of coordinates: a filter in double
// precision decides nearly always; what it cannot decide is summed without error (Shewchuk 1997,
// "Adaptive Precision Floating-Point Arithmetic"). Exact as long as nothing under- or overflows:
// coordinates between about 1e-100 and 1e100, or 0.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

// Sign of ((b - a) x (c - a)) . (d - a): +1 if d lies where the normal of abc points to, 0 in
// plane.
int orient3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d);

// Sign of the area of abc: +1 if counter-clockwise, 0 on a line.
int orient2d(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c);

}  // namespace pliant
