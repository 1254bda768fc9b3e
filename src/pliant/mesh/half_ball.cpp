// SPDX-License-Identifier: MIT
#include "pliant/mesh/half_ball.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

// Nodes at equal angles from `turn`, in parts of a segment.
struct Ring {
  int first, count;
  double turn;

  int at(int k) const { return first + k % count; }
  double angle(int k) const { return (k + turn) / count; }  // of a full turn
};

// Triangles between two rings, always to the node that comes first.
void stitch(const Ring& inner, const Ring& outer, std::vector<Vector3i>& F) {
  int i = 0, o = 0;
  while (i < inner.count || o < outer.count) {
    const bool take_outer =
        i == inner.count || (o < outer.count && outer.angle(o + 1) <= inner.angle(i + 1));
    if (take_outer) {
      F.emplace_back(inner.at(i), outer.at(o), outer.at(o + 1));
      ++o;
    } else {
      F.emplace_back(inner.at(i), outer.at(o), inner.at(i + 1));
      ++i;
    }
  }
}

}  // namespace

SurfaceMesh half_ball(const HalfBallOptions& o) {
  if (!(o.spacing > 0 && o.fine_rings >= 1 && o.growth > 1 && o.down >= 1 &&
        o.radius > o.spacing * (o.fine_rings + 2))) {
    throw Error(
        {"", 0, "half ball"}, "its numbers give no surface", "",
        "spacing > 0, fine_rings >= 1, growth > 1, down >= 1, and a radius beyond the rings");
  }
  std::vector<Vector3d> V = {Vector3d::Zero()};
  std::vector<Ring> rings;
  const auto add = [&](int count, double turn, double r, double z) {
    rings.push_back({static_cast<int>(V.size()), count, turn});
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * std::numbers::pi * rings.back().angle(k);
      V.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
  };
  for (int k = 1; k <= o.fine_rings; ++k) add(6 * k, 0, k * o.spacing, 0);
  const int around = 6 * o.fine_rings;
  const auto half_turned = [&] { return rings.back().turn > 0 ? 0.0 : 0.5; };
  double r = o.fine_rings * o.spacing, step = o.spacing * o.growth;
  while (r + 1.5 * step < o.radius) {
    r += step;
    step *= o.growth;
    add(around, half_turned(), r, 0);
  }
  for (int k = 0; k < o.down; ++k) {
    const double angle = 0.5 * std::numbers::pi * k / o.down;
    add(around, half_turned(), o.radius * std::cos(angle), -o.radius * std::sin(angle));
  }
  V.emplace_back(0, 0, -o.radius);

  std::vector<Vector3i> F;
  for (int k = 0; k < rings.front().count; ++k) {
    F.emplace_back(0, rings.front().at(k), rings.front().at(k + 1));
  }
  for (std::size_t k = 0; k + 1 < rings.size(); ++k) stitch(rings[k], rings[k + 1], F);
  for (int k = 0; k < around; ++k) {
    F.emplace_back(static_cast<int>(V.size()) - 1, rings.back().at(k + 1), rings.back().at(k));
  }
  SurfaceMesh mesh;
  mesh.V.resize(3, std::ssize(V));
  mesh.F.resize(3, std::ssize(F));
  for (std::size_t i = 0; i < V.size(); ++i) mesh.V.col(static_cast<Index>(i)) = V[i];
  for (std::size_t i = 0; i < F.size(); ++i) mesh.F.col(static_cast<Index>(i)) = F[i];
  return mesh;
}

int first_of_dome(const SurfaceMesh& mesh, const HalfBallOptions& o) {
  return mesh.vertex_count() - 1 - 6 * o.fine_rings * o.down;
}

}  // namespace pliant
