// SPDX-License-Identifier: MIT
// A sitting bunny: a round body, a head with long ears, paws and a tail.
#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/sdf.hpp"

namespace pliant::model {
namespace {

// x forward, y up, on the ground at y = 0; 1 high to the tips of the ears.
Model make_bunny(const Values& p) {
  Blend body(0.03), details(0.012);
  body.add(ellipsoid({-0.08, 0.25, 0}, {0.26, 0.24, 0.22}));
  body.add(ellipsoid({0.06, 0.36, 0}, {0.17, 0.20, 0.16}));
  body.add(ellipsoid({0.17, 0.57, 0}, {0.15, 0.13, 0.125}));
  body.add(ball({0.28, 0.54, 0}, 0.072));
  body.add_pair(ellipsoid({-0.10, 0.16, 0.16}, {0.17, 0.15, 0.10}));
  body.add_pair(limb({{-0.06, 0.052, 0.17, 0.052}, {0.16, 0.048, 0.17, 0.048}}));
  body.add_pair(
      limb({{0.13, 0.30, 0.08, 0.062}, {0.19, 0.14, 0.085, 0.046}, {0.22, 0.043, 0.085, 0.043}}));
  body.add(ball({-0.34, 0.17, 0}, 0.075));
  details.add_pair(limb(spline({{0.12, 0.67, 0.055, 0.042},
                                {0.06, 0.80, 0.080, 0.052},
                                {0.00, 0.91, 0.092, 0.040},
                                {-0.03, 0.975, 0.095, 0.022}},
                               4)));
  details.add_pair(ball({0.255, 0.605, 0.095}, 0.022));
  details.add(ball({0.352, 0.555, 0}, 0.020));
  const double s = p["size"];
  const ImplicitBody whole = body_of({{body, 0}, {details, 0.02}});
  return {.surface = isosurface(scaled(whole, s), 0.018 * s / p["detail"], {.lipschitz = 1.25}),
          .materials = {material::flesh()},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-s, -s, -s), Vector3d(s, 0.012 * s, s))},
          .voxel_resolution = 40};
}

}  // namespace

Entry bunny() {
  return {{"bunny",
           "a sitting bunny with long ears",
           true,
           true,
           {{"size", 0.3, 0.01, 100, "m", "height to the tips of the ears"}, detail_parameter()}},
          make_bunny};
}

}  // namespace pliant::model
