// SPDX-License-Identifier: MIT
// A wicker basket: upright ribs, strands woven in and out of them, a rim and a twisted handle.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/base/random.hpp"
#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

constexpr double pi = std::numbers::pi;

Model make_basket(const Values& p) {
  const double R = p["diameter"] / 2, H = p["height"];
  const int ribs = 2 * p.count("rib_pairs"), rows = p.count("rows");
  const double strand = 0.58 * H / rows, rib = 0.75 * strand;
  Random random(static_cast<std::uint64_t>(p["seed"]));
  // Wider towards the rim, with a belly.
  const auto radius = [&](double h) {
    return R * (0.74 + 0.26 * std::sin(0.5 * pi * std::min(1.0, 1.15 * h)));
  };
  const auto on_wall = [&](double angle, double h, double out) -> Vector3d {
    const double r = radius(h) + out;
    return {r * std::cos(angle), H * h, r * std::sin(angle)};
  };

  Parts parts;
  parts.group("ribs");
  for (int k = 0; k < ribs; ++k) {
    std::vector<Vector3d> points;
    const double angle = 2 * pi * k / ribs;
    // From the middle of the bottom, up the wall.
    for (int i = 1; i <= 6; ++i) {
      points.push_back(Vector3d(0.98 * i / 7.0 * radius(0) * std::cos(angle), 0.4 * strand,
                                0.98 * i / 7.0 * radius(0) * std::sin(angle)));
    }
    for (int i = 0; i <= 20; ++i) points.push_back(on_wall(angle, 0.02 + 0.98 * i / 20, 0));
    parts.tube(with_radius(points, rib), 8);
  }
  parts.group("strands");
  const auto ring = [&](double h, double phase, double wave, double thickness, int per_rib) {
    Path path;
    const int n = ribs * per_rib;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * pi * i / n;
      const Vector3d x = on_wall(-angle, h, wave * std::cos(0.5 * ribs * angle + phase));
      path.emplace_back(x[0], x[1], x[2], thickness);
    }
    parts.tube(path, 8, true);
  };
  for (int row = 0; row < rows; ++row) {
    const double wobble = 0.04 * random.uniform(-1, 1) / rows;
    ring((row + 0.6) / (rows + 0.4) + wobble, row % 2 * pi, 0.85 * (rib + strand), strand, 8);
  }
  // The bottom: strands around the middle, over and under the ribs.
  const int rings = std::max(2, static_cast<int>(radius(0) / (2.2 * strand)));
  for (int k = 0; k < rings; ++k) {
    Path path;
    const int n = ribs * 6;
    const double r = radius(0) * (k + 0.7) / rings;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * pi * i / n;
      path.emplace_back(r * std::cos(angle),
                        0.4 * strand + 0.6 * rib * std::cos(0.5 * ribs * angle + k * pi),
                        -r * std::sin(angle), strand);
    }
    parts.tube(path, 8, true);
  }
  parts.group("rim");
  for (int k = 0; k < 2; ++k) {
    Path path;
    const int n = ribs * 10;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * pi * i / n, turn = ribs * angle / 2 + k * pi;
      const Vector3d x =
          on_wall(-angle, 1.0 + 0.9 * strand / H * std::sin(turn), 0.9 * strand * std::cos(turn));
      path.emplace_back(x[0], x[1], x[2], 1.15 * strand);
    }
    parts.tube(path, 8, true);
  }
  parts.group("handle");
  for (int k = 0; k < 3; ++k) {
    std::vector<Vector3d> points;
    const int n = 160;
    for (int i = 0; i <= n; ++i) {
      const double u = static_cast<double>(i) / n;
      const double a = pi * (-0.06 + 1.12 * u), turn = 2 * pi * (9 * u + k / 3.0);
      const double r = radius(1.0) + 1.1 * strand * std::cos(turn);
      points.push_back(
          Vector3d(r * std::cos(a), H + 1.15 * r * std::sin(a), 1.1 * strand * std::sin(turn)));
    }
    parts.tube(with_radius(points, strand), 8);
  }
  return {.surface = parts.finish(),
          .materials = {material::wood()},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-R, -H, -R), Vector3d(R, 0.03 * H, R))},
          .voxel_resolution = 96,
          .fill_interior = false};
}

}  // namespace

Entry basket() {
  return {{"basket",
           "a woven basket with a handle, standing",
           false,
           true,
           {{"diameter", 0.3, 0.05, 10, "m", "of the rim"},
            {"height", 0.15, 0.03, 10, "m", "of the wall"},
            {"rows", 12, 3, 60, "", "strands one above the other", true},
            {"rib_pairs", 14, 3, 60, "", "half the number of ribs", true},
            {"seed", 1, 0, 1e9, "", "of the strands' unevenness", true}}},
          make_basket};
}

}  // namespace pliant::model
