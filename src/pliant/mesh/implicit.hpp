// SPDX-License-Identifier: MIT
// A solid body given by a function of space: f < 0 inside, f > 0 outside, f = 0 on the surface.
// Meshers that grade by the distance from the surface take |f| for a lower bound of it, as a
// signed distance gives; the sign alone decides what is inside. f is called from many threads.
#pragma once

#include <functional>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

using Implicit = std::function<double(const Vector3d&)>;

struct ImplicitBody {
  Implicit f;
  Eigen::AlignedBox3d box;   // holds every point with f < 0
  bool is_distance = false;  // |f(x)| is at most the distance from x to the surface, everywhere
};

}  // namespace pliant
