// SPDX-License-Identifier: MIT
// A bolt with its thread and the nut to it: the profile of ISO metric threads, flanks at 60 degrees,
// a flat crest of an eighth of the pitch.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

constexpr double pi = std::numbers::pi;

struct Thread {
  double radius, pitch;  // of the crests; along y, right-handed

  double depth() const { return 0.6134 * pitch; }
  // Of the bolt's surface.
  double at(double angle, double y) const {
    const double turns = y / pitch - angle / (2 * pi);
    const double from_crest = std::abs(turns - std::round(turns));  // in pitches, 0 to 0.5
    const double down = std::sqrt(3.0) * (from_crest - 1.0 / 16) * pitch;
    return radius - std::clamp(down, 0.0, depth());
  }
};

struct Grid {
  explicit Grid(double detail)
      : sides(6 * std::max(2, static_cast<int>(12 * detail))),
        a_turn(std::max(8, static_cast<int>(16 * detail))) {}
  int sides, a_turn;  // points about the axis; rings to a turn of the thread
};

template <class Radius>
Ring ring(const Grid& grid, double y, const Radius& radius) {
  Ring points;
  for (int j = 0; j < grid.sides; ++j) {
    const double a = 2 * pi * j / grid.sides, r = radius(a);
    points.emplace_back(r * std::cos(a), y, -r * std::sin(a));
  }
  return points;
}

// A hexagon, by half its width across the flats.
auto hexagon(double half) {
  return [half](double a) { return half / std::cos(std::remainder(a - pi / 6, pi / 3)); };
}

// The thread from y = 0 to `length`, widened by `clearance`.
std::vector<Ring> thread_rings(const Grid& grid, const Thread& thread, double length,
                               double clearance) {
  const int n = std::max(1, static_cast<int>(std::lround(length / thread.pitch * grid.a_turn)));
  std::vector<Ring> rings;
  for (int i = 0; i <= n; ++i) {
    const double y = length * i / n;
    rings.push_back(ring(grid, y, [&](double a) { return thread.at(a, y) + clearance; }));
  }
  return rings;
}

Thread thread_of(const Values& p) {
  return {0.5 * p["diameter"], p["pitch"] * p["diameter"]};
}

Model make_bolt(const Values& p) {
  const Grid grid(p["detail"]);
  const double d = p["diameter"], length = p["length"] * d;
  std::vector<Ring> rings = thread_rings(grid, thread_of(p), length, 0);
  rings.push_back(ring(grid, length, hexagon(0.75 * d)));
  rings.push_back(ring(grid, length + 0.625 * d, hexagon(0.75 * d)));
  Parts parts;
  parts.loft(rings);
  return {.surface = parts.finish(), .materials = {material::steel()}};
}

Model make_nut(const Values& p) {
  const Grid grid(p["detail"]);
  const double d = p["diameter"], height = p["height"] * d;
  std::vector<Ring> rings = thread_rings(grid, thread_of(p), height, p["clearance"] * d);
  // Down the hole, and up the outside.
  std::ranges::reverse(rings);
  rings.push_back(ring(grid, 0, hexagon(0.75 * d)));
  rings.push_back(ring(grid, height, hexagon(0.75 * d)));
  Parts parts;
  parts.loft(rings, true);
  return {.surface = parts.finish(), .materials = {material::steel()}};
}

ParameterInfo diameter() {
  return {"diameter", 0.016, 1e-3, 1, "m", "of the thread, over its crests"};
}
ParameterInfo pitch() {
  return {"pitch", 0.125, 0.05, 0.3, "", "of the thread, in diameters"};
}

}  // namespace

Entry bolt() {
  return {{"bolt",
           "a bolt with its thread, M16 by default, its head up",
           true,
           true,
           {diameter(),
            pitch(),
            {"length", 2.5, 0.5, 10, "", "of the thread, in diameters"},
            {"detail", 1.0, 0.5, 4.0, "", "triangles per length, relative to the default"}}},
          make_bolt};
}

Entry nut() {
  return {{"nut",
           "the nut to the bolt: screwed on by a turn it comes up by a pitch",
           true,
           true,
           {diameter(),
            pitch(),
            {"height", 0.8, 0.3, 4, "", "in diameters"},
            {"clearance", 0.02, 0, 0.1, "", "of the thread all around, in diameters"},
            {"detail", 1.0, 0.5, 4.0, "", "triangles per length, relative to the default"}}},
          make_nut};
}

}  // namespace pliant::model
