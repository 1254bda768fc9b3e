// SPDX-License-Identifier: MIT
// A heart: two ventricles, two atria, the great vessels and the coronary arteries, in one skin.
#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/sdf.hpp"

namespace pliant::model {
namespace {

// x to the left of the body, y up, z to the front; the unit is the height of the ventricles.
std::vector<Layer> heart_layers() {
  Blend muscle(0.035);
  // Left ventricle: a cone with a round apex that points down, forward and to the left.
  muscle.add(limb(spline({{0.25, -0.50, 0.17, 0.15},
                          {0.15, -0.32, 0.10, 0.30},
                          {0.08, -0.08, 0.03, 0.39},
                          {0.02, 0.10, -0.02, 0.35}},
                         16)));
  // Right ventricle, wrapped around its front.
  muscle.add(limb(spline({{0.10, -0.42, 0.24, 0.11},
                          {-0.10, -0.24, 0.25, 0.21},
                          {-0.24, -0.02, 0.19, 0.26},
                          {-0.16, 0.17, 0.17, 0.19}},
                         16)));
  // Atria with their ears.
  muscle.add(ellipsoid({-0.36, 0.26, -0.04}, {0.21, 0.24, 0.23}));
  muscle.add(limb({{-0.30, 0.30, 0.14, 0.10}, {-0.16, 0.36, 0.24, 0.06}}));
  muscle.add(ellipsoid({0.16, 0.28, -0.24}, {0.28, 0.21, 0.21}));
  muscle.add(limb({{0.28, 0.28, -0.06, 0.09}, {0.26, 0.30, 0.12, 0.055}}));

  Blend vessels(0.018);
  // Aorta: up, over to the back and down, with the three branches of its arch.
  vessels.add(limb(spline({{-0.02, 0.15, 0.02, 0.12},
                           {-0.08, 0.42, 0.05, 0.125},
                           {-0.05, 0.58, 0.0, 0.12},
                           {0.08, 0.65, -0.12, 0.115},
                           {0.20, 0.56, -0.26, 0.105},
                           {0.22, 0.44, -0.33, 0.10},
                           {0.21, 0.20, -0.37, 0.095}},
                          8)));
  vessels.add(limb({{-0.03, 0.62, 0.0, 0.055}, {-0.09, 0.74, 0.0, 0.05}}));
  vessels.add(limb({{0.05, 0.70, -0.08, 0.045}, {0.05, 0.77, -0.07, 0.040}}));
  vessels.add(limb({{0.14, 0.66, -0.17, 0.045}, {0.19, 0.74, -0.19, 0.040}}));
  // Pulmonary trunk: from the right ventricle across the aorta, parting to both sides.
  vessels.add(limb(spline({{-0.06, 0.16, 0.22, 0.12},
                           {0.06, 0.36, 0.19, 0.115},
                           {0.14, 0.50, 0.06, 0.105},
                           {0.13, 0.52, -0.08, 0.09}},
                          8)));
  vessels.add(limb({{0.13, 0.50, -0.06, 0.085}, {0.50, 0.52, -0.16, 0.068}}));
  vessels.add(
      limb({{0.10, 0.50, -0.08, 0.08}, {-0.16, 0.47, -0.17, 0.075}, {-0.60, 0.50, -0.18, 0.062}}));
  // Venae cavae above and below the right atrium; four pulmonary veins at the left one.
  vessels.add(limb(spline(
      {{-0.32, 0.22, -0.04, 0.085}, {-0.30, 0.50, -0.03, 0.088}, {-0.28, 0.70, -0.02, 0.08}}, 16)));
  vessels.add(limb({{-0.32, 0.20, -0.08, 0.09}, {-0.30, -0.16, -0.16, 0.085}}));
  for (const double y : {0.20, 0.34}) {
    vessels.add(limb({{0.28, y, -0.26, 0.055}, {0.58, y + 0.03, -0.34, 0.050}}));
    vessels.add(limb({{-0.02, y, -0.28, 0.055}, {-0.42, y + 0.02, -0.42, 0.050}}));
  }

  return {{muscle}, {vessels, 0.05}};
}

// Arteries that lie on the muscle: paths pulled to its surface by Newton's steps.
Path on_surface(const Implicit& f, Path path) {
  const double h = 1e-4;
  for (Vector4d& p : path) {
    for (int step = 0; step < 12; ++step) {
      const Vector3d x = p.head<3>();
      Vector3d g;
      for (int k = 0; k < 3; ++k) {
        const Vector3d e = h * Vector3d::Unit(k);
        g[k] = (f(x + e) - f(x - e)) / (2 * h);
      }
      p.head<3>() -= g * (f(x) / std::max(g.squaredNorm(), 1e-6));
    }
  }
  return path;
}

Model make_heart(const Values& p) {
  const double s = p["size"] / 1.46;
  std::vector<Layer> layers = heart_layers();
  const Implicit body = body_of(layers).f;
  Blend arteries(0.006);
  for (const Path& path : std::vector<Path>{
           {{0.10, 0.12, 0.34, 0.033},
            {0.16, -0.10, 0.42, 0.033},
            {0.20, -0.34, 0.42, 0.028},
            {0.26, -0.58, 0.30, 0.020}},
           {{0.15, -0.06, 0.40, 0.023}, {0.30, -0.18, 0.34, 0.021}, {0.38, -0.32, 0.22, 0.015}},
           {{0.10, 0.10, 0.34, 0.028},
            {0.30, 0.12, 0.24, 0.028},
            {0.42, 0.08, 0.02, 0.023},
            {0.40, -0.10, -0.16, 0.017}},
           {{-0.10, 0.16, 0.36, 0.030},
            {-0.34, 0.10, 0.28, 0.030},
            {-0.46, 0.04, 0.06, 0.026},
            {-0.36, -0.10, -0.14, 0.023},
            {-0.12, -0.30, -0.24, 0.017}},
           {{-0.38, 0.04, 0.26, 0.021},
            {-0.30, -0.18, 0.36, 0.020},
            {-0.12, -0.38, 0.40, 0.015}}}) {
    arteries.add(limb(on_surface(body, spline(path, 10))));
  }
  layers.push_back({arteries, 0.05});
  return {.surface =
              isosurface(scaled(body_of(layers), s), 0.0272 * s / p["detail"], {.lipschitz = 1.25}),
          .materials = {material::flesh()},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-s, 0.62 * s, -s), Vector3d(s, 2 * s, s))},
          .voxel_resolution = 80,
          .fill_interior = false};
}

}  // namespace

Entry heart() {
  return {{"heart",
           "a human heart with its vessels, held at the upper ones",
           true,
           true,
           {{"size", 0.14, 0.01, 10, "m", "height"}, detail_parameter()}},
          make_heart};
}

}  // namespace pliant::model
