// SPDX-License-Identifier: MIT
// A rubber hose on its way around a corner, with a metal coupling at each end.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

// A wall between two radii along a path: outside there, inside back.
void pipe(Parts& parts, const std::vector<Vector3d>& axis, double outer, double inner,
          const std::vector<Vector2d>& outside) {
  const int sides = static_cast<int>(outside.size());
  const std::vector<Vector2d> inside = circle(sides);
  const auto ring = [&](std::size_t i, double radius, const std::vector<Vector2d>& section) {
    const Vector3d before = axis[i > 0 ? i - 1 : 0], after = axis[std::min(i + 1, axis.size() - 1)];
    const Vector3d t = (after - before).normalized();
    // The axis stays in a plane of constant z.
    const Vector3d y = Vector3d::UnitZ(), x = y.cross(t);
    Ring points;
    for (const Vector2d& s : section) points.push_back(axis[i] + radius * (s[0] * x + s[1] * y));
    return points;
  };
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < axis.size(); ++i) rings.push_back(ring(i, outer, outside));
  for (std::size_t i = axis.size(); i-- > 0;) rings.push_back(ring(i, inner, inside));
  parts.loft(rings, true);
}

// A regular hexagon with `sides` points, of the given inner radius 1.
std::vector<Vector2d> hexagon(int sides) {
  std::vector<Vector2d> points = circle(sides);
  for (Vector2d& p : points) {
    const double a = std::atan2(p[1], p[0]);
    const double sector = a - (std::numbers::pi / 3) * std::round(a / (std::numbers::pi / 3));
    p /= std::cos(sector);
  }
  return points;
}

Model make_hose(const Values& p) {
  const double R = p["diameter"] / 2, bore = 0.62 * R, L = p["length"];
  const int sides = 36;
  // An S: up, over and down again.
  const Path curve = spline({{0, 0, 0, 0},
                             {0.25 * L, 0.02 * L, 0, 0},
                             {0.42 * L, 0.20 * L, 0, 0},
                             {0.58 * L, 0.38 * L, 0, 0},
                             {0.75 * L, 0.40 * L, 0, 0},
                             {1.0 * L, 0.40 * L, 0, 0}},
                            24);
  std::vector<Vector3d> axis;
  for (const Vector4d& q : curve) axis.push_back(q.head<3>());
  Parts parts;
  parts.group("metal");
  for (const bool start : {true, false}) {
    const Vector3d at = start ? axis.front() : axis.back();
    const Vector3d out(start ? -1 : 1, 0, 0);
    const auto along = [&](double from, double to) {
      const Vector3d a = at + from * out, b = at + to * out;
      return start ? std::vector<Vector3d>{b, 0.5 * (a + b), a}
                   : std::vector<Vector3d>{a, 0.5 * (a + b), b};
    };
    pipe(parts, along(-1.8 * R, 0.25 * R), 1.18 * R, 0.97 * R, circle(sides));  // ferrule
    pipe(parts, along(0.1 * R, 1.2 * R), 1.35 * R, bore, hexagon(sides));       // nut
    pipe(parts, along(1.1 * R, 2.4 * R), 0.95 * R, bore, circle(sides));        // nipple
    for (int k = 0; k < 4; ++k) {                                               // its thread
      const double x = (1.35 + 0.25 * k) * R;
      pipe(parts, along(x, x + 0.12 * R), 1.04 * R, 0.9 * R, circle(sides));
    }
  }
  parts.group("rubber");
  pipe(parts, axis, R, bore, circle(sides));
  const Vector3d reach = Vector3d::Constant(1.6 * R);
  const Vector3d end = axis.front() - 2.4 * R * Vector3d::UnitX();
  return {.surface = parts.finish(),
          .materials = {material::steel("metal"), material::rubber("rubber")},
          .fixed = {Eigen::AlignedBox3d(end - reach, axis.front() + reach)},
          .voxel_resolution = 96};
}

}  // namespace

Entry hose() {
  return {{"hose",
           "a curved rubber hose with a metal coupling at each end, held at the first",
           false,
           true,
           {{"length", 0.6, 0.05, 100, "m", "along x, without the couplings"},
            {"diameter", 0.06, 0.005, 10, "m", "outer, of the rubber"}}},
          make_hose};
}

}  // namespace pliant::model
