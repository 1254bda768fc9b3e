// SPDX-License-Identifier: MIT
// A lattice tower on four legs: posts, cross bracing, arches, three platforms and a spire.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

struct Dimensions {
  double height, base, bar;
  double edge = std::max(height, base) / 115;  // of a triangle

  // Half the width at height y: steep like an exponential, as wind asks for.
  double outer(double y) const {
    const double u = y / height;
    return 0.5 * base * (0.985 * std::exp(-3.6 * u) + 0.015 + 0.03 * (1 - u));
  }
  double leg(double y) const { return 0.42 * outer(y) + 0.004 * height; }  // width of a leg
};

constexpr double first = 0.19, second = 0.38, top = 0.90;  // platforms, as parts of the height

void add_legs(Parts& parts, const Dimensions& d) {
  const int storeys = 7;
  const double end = second * d.height;
  for (int q = 0; q < 4; ++q) {
    const double sx = q & 1 ? 1 : -1, sz = q & 2 ? 1 : -1;
    // The four posts of a leg.
    const auto post = [&](int c, double y) -> Vector3d {
      const double o = d.outer(y), w = d.leg(y);
      const double x = c & 1 ? o : o - w, z = c & 2 ? o : o - w;
      return {sx * x, y, sz * z};
    };
    for (int k = 0; k < storeys; ++k) {
      const double y0 = end * k / storeys, y1 = end * (k + 1) / storeys;
      for (int c = 0; c < 4; ++c) {
        const double thick = c == 3 ? 1.3 : 1.0;
        parts.bar(post(c, y0), post(c, y1), thick * d.bar, thick * d.bar, Vector3d(sx, 0, 0.3),
                  d.edge);
      }
      // Faces between neighbouring posts: a cross and a horizontal.
      for (const auto& [a, b] : {std::pair(0, 1), {1, 3}, {3, 2}, {2, 0}}) {
        const double thin = 0.6 * d.bar;
        parts.bar(post(a, y0), post(b, y1), thin, thin, Vector3d(0.3, 1, 0.2), d.edge);
        parts.bar(post(b, y0), post(a, y1), thin, thin, Vector3d(0.3, 1, 0.2), d.edge);
        parts.bar(post(a, y1), post(b, y1), thin, thin, Vector3d::UnitY(), d.edge);
      }
    }
    // The foot.
    const double o = d.outer(0), w = d.leg(0), edge = 0.3 * w;
    parts.box(Vector3d(sx > 0 ? o - 1.05 * w : -o - 0.05 * w, -0.005 * d.height,
                       sz > 0 ? o - 1.05 * w : -o - 0.05 * w),
              Vector3d(sx > 0 ? o + 0.05 * w : -o + 1.05 * w, 0.004 * d.height,
                       sz > 0 ? o + 0.05 * w : -o + 1.05 * w),
              edge);
  }
}

void add_arches(Parts& parts, const Dimensions& d) {
  const double crown = first * d.height - 0.012 * d.height;
  const int n = 32;
  for (int side = 0; side < 4; ++side) {
    const double turn = side * std::numbers::pi / 2;
    for (const double lift : {0.0, 0.035}) {
      std::vector<Vector3d> points;
      for (int k = 0; k <= n; ++k) {
        const double u = 2.0 * k / n - 1;
        const double y = (0.35 + 0.65 * std::sqrt(1 - 0.98 * u * u)) * (crown - lift * d.height);
        const double reach = d.outer(y) - 0.55 * d.leg(y);
        const double x = u * (d.outer(0.35 * crown) - 0.9 * d.leg(0.35 * crown));
        points.push_back({x * std::cos(turn) - reach * std::sin(turn), y,
                          x * std::sin(turn) + reach * std::cos(turn)});
      }
      parts.sweep(with_radius(points, 1.0), rectangle(0.9 * d.bar, 0.9 * d.bar), Vector3d::UnitY());
    }
  }
}

void add_shaft(Parts& parts, const Dimensions& d) {
  const int storeys = 14;
  const double start = second * d.height, end = top * d.height;
  const auto corner = [&](int c, double y) -> Vector3d {
    const double o = d.outer(y);
    return {c == 0 || c == 3 ? -o : o, y, c < 2 ? -o : o};
  };
  for (int k = 0; k < storeys; ++k) {
    // Storeys get lower as the shaft gets thinner.
    const auto level = [&](double t) { return start + (end - start) * t * (1.35 - 0.35 * t); };
    const double y0 = level(static_cast<double>(k) / storeys), y1 = level((k + 1.0) / storeys);
    for (int c = 0; c < 4; ++c) {
      const int e = (c + 1) % 4;
      parts.bar(corner(c, y0), corner(c, y1), d.bar, d.bar, Vector3d(1, 0, 0.3), d.edge);
      const double thin = 0.6 * d.bar;
      parts.bar(corner(c, y0), corner(e, y1), thin, thin, Vector3d(0.3, 1, 0.2), d.edge);
      parts.bar(corner(e, y0), corner(c, y1), thin, thin, Vector3d(0.3, 1, 0.2), d.edge);
      parts.bar(corner(c, y1), corner(e, y1), thin, thin, Vector3d::UnitY(), d.edge);
    }
  }
}

// A square gallery: a frame with a floor as wide as the legs, and a railing.
void add_platform(Parts& parts, const Dimensions& d, double y, double overhang, bool open) {
  const double o = d.outer(y) + overhang * d.height, t = 0.004 * d.height;
  const double inner = open ? d.outer(y) - d.leg(y) : 0.0;
  const double edge = 2 * d.edge;
  if (open) {
    for (const double s : {-1.0, 1.0}) {
      const double a = s > 0 ? inner : -o, b = s > 0 ? o : -inner;
      parts.box({a, y, -o}, {b, y + t, o}, edge);
      parts.box({-inner, y, a}, {inner, y + t, b}, edge);
    }
  } else {
    parts.box({-o, y, -o}, {o, y + t, o}, edge);
  }
  const double rail = 0.022 * d.height;
  for (int c = 0; c < 4; ++c) {
    const Vector3d a(c == 0 || c == 3 ? -o : o, y, c < 2 ? -o : o);
    const int e = (c + 1) % 4;
    const Vector3d b(e == 0 || e == 3 ? -o : o, y, e < 2 ? -o : o);
    const Vector3d up(0, rail, 0);
    parts.bar(a + up, b + up, 0.5 * d.bar, 0.5 * d.bar, Vector3d::UnitY(), d.edge);
    const int posts = static_cast<int>(std::clamp((b - a).norm() / (0.03 * d.height), 2.0, 100.0));
    for (int k = 0; k < posts; ++k) {
      const Vector3d x = a + (b - a) * k / posts;
      parts.bar(x, x + up, 0.4 * d.bar, 0.4 * d.bar, Vector3d::UnitX());
    }
  }
}

Model make_tower(const Values& p) {
  const Dimensions d{p["height"], p["base"], p["bar"]};
  Parts parts;
  add_legs(parts, d);
  add_arches(parts, d);
  add_shaft(parts, d);
  add_platform(parts, d, first * d.height, 0.012, true);
  add_platform(parts, d, second * d.height, 0.010, false);
  add_platform(parts, d, top * d.height, 0.010, false);
  // Cabin and spire.
  const double y = top * d.height, o = d.outer(y) + 0.004 * d.height;
  parts.box({-o, y, -o}, {o, y + 0.03 * d.height, o}, d.height / 80);
  std::vector<Vector4d> spire;
  for (int k = 0; k <= 10; ++k) {
    spire.emplace_back(0, y + 0.025 * d.height + 0.075 * d.height * k / 10, 0,
                       d.bar * (1.6 - 1.2 * k / 10));
  }
  parts.tube(spire, 10);
  const double far = d.height;
  return {.surface = parts.finish(),
          .materials = {material::steel()},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-far, -far, -far),
                                        Vector3d(far, 0.004 * d.height, far))},
          .voxel_resolution = 140,
          .fill_interior = true};
}

}  // namespace

Entry tower() {
  return {{"tower",
           "a lattice tower on four legs, held at its feet",
           false,
           true,
           {{"height", 300, 1, 3000, "m", "to the tip of the spire"},
            {"base", 116, 0.3, 1000, "m", "width at the feet"},
            {"bar", 1.3, 1e-3, 20, "m", "side of the posts' section"}}},
          make_tower};
}

}  // namespace pliant::model
