// SPDX-License-Identifier: MIT
// A table spoon: one loft from the end of the handle to the tip of the bowl.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

constexpr double pi = std::numbers::pi;

// Values at some stations along the spoon, joined smoothly.
double along(const Path& stations, double s) {
  std::size_t i = 0;
  while (i + 2 < stations.size() && stations[i + 1][0] < s) ++i;
  const double t = std::clamp((s - stations[i][0]) / (stations[i + 1][0] - stations[i][0]), 0., 1.);
  const double smooth = t * t * (3 - 2 * t);
  return stations[i][1] + smooth * (stations[i + 1][1] - stations[i][1]);
}

Model make_spoon(const Values& p) {
  const double L = p["length"], thickness = p["thickness"];
  // All along the unit length, as parts of it: (s, value).
  const Path half_width{{0, 0.042, 0, 0},
                        {0.10, 0.045, 0, 0},
                        {0.45, 0.020, 0, 0},
                        {0.62, 0.020, 0, 0},
                        {0.70, 0.035, 0, 0}};
  const Path height{{0, 0.055, 0, 0},
                    {0.25, 0.075, 0, 0},
                    {0.62, 0.005, 0, 0},
                    {0.70, 0.0, 0, 0},
                    {1, 0.012, 0, 0}};
  const double bowl_start = 0.64, bowl_half_width = 0.108, bowl_depth = 0.055;

  const int n = static_cast<int>(120 * p["detail"]), sides = 4 * static_cast<int>(7 * p["detail"]);
  std::vector<Ring> rings;
  for (int i = 0; i <= n; ++i) {
    // Closer at the round ends.
    const double u = static_cast<double>(i) / n;
    const double s = 0.5 * u + 0.25 * (1 - std::cos(pi * u));
    // The outline of the bowl is an egg, blunt towards the handle.
    const double b = std::clamp((s - bowl_start) / (1 - bowl_start), 0.0, 1.0);
    const double egg = std::sqrt(std::max(0.0, 4 * b * (1 - b))) * (1.08 - 0.16 * b);
    // Both ends are round.
    const double end = 0.04,
                 round = s < end ? std::sqrt(std::max(0.0, 1 - std::pow(1 - s / end, 2))) : 1.0;
    const double handle = (b < 0.4 ? along(half_width, s) : 0.0) * round;
    const double w = std::max({L * handle, L * bowl_half_width * egg, 0.25 * thickness});
    const double depth = L * bowl_depth * std::pow(std::sin(pi * std::pow(b, 0.85)), 1.2);
    const double t = thickness * (i == 0 || i == n ? 0.4 : 1.0) *
                     (1 + 0.9 * std::exp(-60 * std::pow(s - 0.6, 2)));
    Ring ring;
    for (int j = 0; j < sides; ++j) {
      const double a = 2 * pi * j / sides;
      const double v = std::sin(a), up = std::cos(a);
      // A flat section with round edges.
      const double half = 0.5 * t * std::copysign(std::pow(std::abs(up), 0.5), up);
      ring.emplace_back(L * s, L * along(height, s) - depth * (1 - v * v) + half, w * v);
    }
    rings.push_back(std::move(ring));
  }
  Parts parts;
  parts.loft(rings);
  return {.surface = parts.finish(),
          .materials = {material::plastic()},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-0.1 * L, -L, -L), Vector3d(0.05 * L, L, L))},
          .voxel_resolution = 100};
}

}  // namespace

Entry spoon() {
  return {{"spoon",
           "a table spoon, held at the end of its handle",
           true,
           true,
           {{"length", 0.2, 0.01, 10, "m", "from end to tip"},
            {"thickness", 0.003, 1e-4, 0.5, "m", "of the bowl"},
            {"detail", 1.0, 0.5, 4.0, "", "triangles per length, relative to the default"}}},
          make_spoon};
}

}  // namespace pliant::model
