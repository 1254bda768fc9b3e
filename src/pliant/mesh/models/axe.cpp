// SPDX-License-Identifier: MIT
// A battle axe: a bearded blade with a spike behind it, on a bound wooden shaft.
#include <cmath>
#include <numbers>

#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

constexpr double pi = std::numbers::pi;

Model make_axe(const Values& p) {
  const double L = p["length"];
  Parts parts;
  parts.group("shaft");
  {
    // Oval, a little curved, thicker at the grip's end.
    const Path axis = spline({{0, 0, 0, 0.026},
                              {0.004, 0.05, 0, 0.022},
                              {0.012, 0.3, 0, 0.019},
                              {0.004, 0.65, 0, 0.019},
                              {0, 1.0, 0, 0.017}},
                             16);
    std::vector<Vector2d> oval = circle(20);
    for (Vector2d& q : oval) q[1] *= 0.75;
    Path path;
    for (const Vector4d& q : axis) path.push_back(L * q);
    parts.sweep(path, oval, Vector3d::UnitX());
    // The binding of the grip, wound around it.
    Path winding;
    for (int i = 0; i <= 400; ++i) {
      const double u = i / 400.0, a = 2 * pi * 14 * u;
      winding.push_back(
          L * Vector4d(0.010 + 0.021 * std::cos(a), 0.12 + 0.2 * u, 0.0165 * std::sin(a), 0.006));
    }
    parts.tube(winding, 8);
  }
  parts.group("head");
  const double y0 = 0.86;
  // The eye around the shaft.
  {
    std::vector<Vector2d> oval = circle(24);
    for (Vector2d& q : oval) q[1] *= 0.85;
    Path path;
    for (int i = 0; i <= 8; ++i) {
      const double u = i / 8.0;
      path.push_back(L *
                     Vector4d(0.002, y0 - 0.06 + 0.12 * u, 0, 0.032 - 0.004 * std::sin(pi * u)));
    }
    parts.sweep(path, oval, Vector3d::UnitX());
  }
  // The blade from the eye (u = 0) to the edge (u = 1): it spreads, further down than up, and
  // thins.
  {
    std::vector<Ring> rings;
    const int n = 28, m = 24;
    for (int i = 0; i <= n; ++i) {
      const double u = static_cast<double>(i) / n;
      const double thickness = L * (0.022 * (1 - u) * (1 - 0.5 * u) + 0.0008);
      const auto at = [&](double v) -> Vector3d {  // v from -1, the beard, to 1, the horn
        const double reach = 0.02 + 0.19 * u - 0.045 * u * v * v;
        const double up = 0.045 + 0.105 * std::pow(u, 1.6), down = 0.045 + 0.19 * std::pow(u, 2.2);
        return L * Vector3d(reach, y0 + (v > 0 ? up : down) * v, 0);
      };
      Ring ring;
      for (int j = 0; j <= m; ++j)
        ring.push_back(at(1 - 2.0 * j / m) +
                       Vector3d(0, 0, thickness / 2 * (0.35 + 0.65 * std::sin(pi * j / m))));
      for (int j = m; j >= 0; --j)
        ring.push_back(at(1 - 2.0 * j / m) -
                       Vector3d(0, 0, thickness / 2 * (0.35 + 0.65 * std::sin(pi * j / m))));
      rings.push_back(std::move(ring));
    }
    parts.loft(rings);
  }
  // The spike behind, and one on top.
  const auto spike = [&](const Vector3d& from, const Vector3d& to, double radius) {
    Path path;
    for (int i = 0; i <= 12; ++i) {
      const double u = i / 12.0;
      const Vector3d x = from + u * (to - from);
      path.push_back(L * Vector4d(x[0], x[1] - 0.03 * u * u * std::abs(to[0] - from[0]) / 0.13,
                                  x[2], radius * (1 - u)));
    }
    parts.sweep(path, circle(4), Vector3d::UnitZ());
  };
  spike({-0.015, y0, 0}, {-0.145, y0, 0}, 0.026);
  spike({0, 0.97, 0}, {0, 1.12, 0}, 0.029);
  return {.surface = parts.finish(),
          .materials = {material::steel("head"), material::wood("shaft")},
          .voxel_resolution = 128};
}

}  // namespace

Entry axe() {
  return {{"axe",
           "a battle axe, upright; with the knight, a pair of rigid bodies",
           false,
           true,
           {{"length", 0.9, 0.05, 10, "m", "of the shaft"}}},
          make_axe};
}

}  // namespace pliant::model
