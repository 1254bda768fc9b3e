// SPDX-License-Identifier: MIT
// Two tubes bent like the letter alpha, one hooked into the other: the puzzle is to part them.
#include <cmath>
#include <numbers>

#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

Model make_alpha_puzzle(const Values& p) {
  const double size = p["size"], r = p["tube_radius"];
  const int n = 160, sides = 20, cap = 6, piece = p.count("piece");
  Parts parts;
  std::vector<ModelMaterial> materials;
  for (const bool second : {false, true}) {
    if (piece == (second ? 1 : 2)) continue;
    // The nodal cubic x = t^2, y = t^3 - t crosses itself at t = +-1; z keeps the strands apart.
    const auto curve = [&](double t) -> Vector3d {
      Vector3d x(t * t, 0.85 * (t * t * t - t), 0.16 * t);
      // The second comes from the other side, turned about x, its loop through that of the first.
      if (second) x = Vector3d(0.42 - x[0], x[2], x[1]);
      return size / 1.8 * x;
    };
    const double end = 1.32;
    Path path;
    for (int i = 0; i <= n; ++i) {
      const Vector3d x = curve(-end + 2 * end * i / n);
      path.emplace_back(x[0], x[1], x[2], r);
    }
    // Round caps.
    const auto rounded = [&](const Vector4d& last, const Vector4d& before) {
      const Vector3d t = (last - before).head<3>().normalized();
      Path tip;
      for (int k = 1; k <= cap; ++k) {
        const double a = std::numbers::pi / 2 * k / cap;
        const Vector3d x = last.head<3>() + r * std::sin(a) * t;
        tip.emplace_back(x[0], x[1], x[2], k == cap ? 0.0 : r * std::cos(a));
      }
      return tip;
    };
    const Path head = rounded(path[0], path[1]),
               tail = rounded(path[path.size() - 1], path[path.size() - 2]);
    path.insert(path.begin(), head.rbegin(), head.rend());
    path.insert(path.end(), tail.begin(), tail.end());
    const char* const name = second ? "alpha_1" : "alpha_0";
    parts.group(name);
    materials.push_back(material::plastic(name));
    parts.tube(path, sides);
  }
  return {.surface = parts.finish(), .materials = materials, .voxel_resolution = 96};
}

}  // namespace

Entry alpha_puzzle() {
  return {{"alpha_puzzle",
           "two alpha-shaped tubes hooked into each other",
           true,
           false,
           {{"size", 0.2, 0.02, 10, "m", "length of a tube's outline"},
            {"tube_radius", 0.008, 0.001, 1, "m", "of the tubes; they touch beyond size / 15"},
            {"piece", 0, 0, 2, "", "1 or 2: only one of them", true}}},
          make_alpha_puzzle};
}

}  // namespace pliant::model
