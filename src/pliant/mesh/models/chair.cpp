// SPDX-License-Identifier: MIT
// A chair: four legs, a seat, a back of bars.
#include <algorithm>

#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/sdf.hpp"

namespace pliant::model {
namespace {

// x forward, y up, on the ground at y = 0; 1 high.
Model make_chair(const Values& p) {
  const double t = p["thickness"];  // half of it is the radius of a leg
  const double r = 0.5 * t;
  Blend frame(0.2 * t);
  frame.add(rounded_box({0, 0.5, 0}, {0.24, r, 0.23}, 0.6 * r));
  frame.add_pair(limb({{0.20, r, 0.19, r}, {0.19, 0.5, 0.18, r}}));
  frame.add_pair(limb({{-0.24, r, 0.19, r}, {-0.21, 0.5, 0.19, r}, {-0.28, 1 - r, 0.19, r}}));
  for (const double y : {0.70, 0.83, 1 - r}) {
    const double x = -0.21 - 0.14 * (y - 0.5);
    frame.add(limb({{x, y, -0.19, 0.85 * r}, {x, y, 0.19, 0.85 * r}}));
  }
  frame.add_pair(limb({{0.195, 0.22, 0.185, 0.7 * r}, {-0.227, 0.22, 0.19, 0.7 * r}}));
  const double s = p["size"];
  const ImplicitBody whole = body_of({{frame, 0}});
  const double cell = std::min(0.0095 / p["detail"], 0.3 * t);
  return {.surface = isosurface(scaled(whole, s), cell * s, {.lipschitz = 1.25}),
          .materials = {material::plastic()},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-s, -s, -s), Vector3d(s, 0.02 * s, s))},
          .voxel_resolution = 64};
}

}  // namespace

Entry chair() {
  return {{"chair",
           "a chair with four legs and a back of bars",
           true,
           true,
           {{"size", 0.9, 0.05, 10, "m", "height"},
            {"thickness", 0.067, 0.03, 0.15, "", "of its legs, as a part of the height"},
            detail_parameter()}},
          make_chair};
}

}  // namespace pliant::model
