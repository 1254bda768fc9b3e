// SPDX-License-Identifier: MIT
// A suspension bridge: two towers, a stiffened deck with railings, main cables and hangers.
#include <cmath>

#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

struct Dimensions {
  double length, width, tower_x, tower_y, deck_y, sag_y, half_z;

  // The deck rises a little towards the middle.
  double deck(double x) const {
    const double u = 2 * x / length;
    return deck_y + 0.012 * length * (1 - u * u);
  }
  // A parabola between the towers, a slack line from their tops to the ends of the deck.
  double cable(double x) const {
    const double a = std::abs(x);
    if (a <= tower_x) return sag_y + (tower_y - sag_y) * a * a / (tower_x * tower_x);
    const double u = (a - tower_x) / (length / 2 - tower_x);
    return tower_y + (deck_y - tower_y) * u - 0.04 * length * u * (1 - u);
  }
};

void add_deck(Parts& parts, const Dimensions& d) {
  parts.group("deck");
  const double x0 = -d.length / 2, w = d.width / 2, thickness = 0.006 * d.length;
  parts.block({150, 1, 12}, [&](const Vector3d& u) -> Vector3d {
    const double x = x0 + d.length * u[0];
    return {x, d.deck(x) + thickness * (u[1] - 0.5), w * (2 * u[2] - 1)};
  });
  // Stiffening girders below the edges and the middle, and cross beams.
  for (const double z : {-0.9 * w, 0.0, 0.9 * w}) {
    parts.block({150, 2, 1}, [&](const Vector3d& u) -> Vector3d {
      const double x = x0 + d.length * u[0];
      return {x, d.deck(x) - 0.008 * d.length * (1 - u[1]), z + 0.004 * d.length * (u[2] - 0.5)};
    });
  }
  const int beams = 50;
  for (int k = 1; k < beams; ++k) {
    const double x = x0 + d.length * k / beams;
    const double y = d.deck(x) - 0.005 * d.length;
    parts.bar({x, y, -w}, {x, y, w}, 0.003 * d.length, 0.004 * d.length, Vector3d::UnitY(),
              d.width / 6);
  }
  parts.group("railing");
  const double height = 0.011 * d.length;
  const int posts = 100;
  for (const double z : {-w, w}) {
    for (int k = 0; k <= posts; ++k) {
      const double x = x0 + d.length * k / posts;
      parts.rod({x, d.deck(x), z}, {x, d.deck(x) + height, z}, 0.0008 * d.length, 6, 1);
    }
    for (const double level : {0.5, 1.0}) {
      std::vector<Vector3d> rail;
      for (int k = 0; k <= posts; ++k) {
        const double x = x0 + d.length * k / posts;
        rail.push_back({x, d.deck(x) + level * height, z});
      }
      parts.tube(with_radius(rail, 0.0009 * d.length), 6);
    }
  }
}

void add_tower(Parts& parts, const Dimensions& d, double x) {
  parts.group("towers");
  const double foot = 0.026 * d.length, head = 0.016 * d.length;
  const double spread = 1.25;  // the legs lean towards each other
  const auto leg_z = [&](double y) {
    return d.half_z * (spread + (1 - spread) * std::min(1.0, y / d.deck_y));
  };
  const double top = d.tower_y + 0.01 * d.length;
  for (const double side : {-1.0, 1.0}) {
    parts.block({4, 40, 4}, [&](const Vector3d& u) -> Vector3d {
      const double y = top * u[1], w = foot + (head - foot) * u[1];
      return {x + w * (u[0] - 0.5), y, side * leg_z(y) + 0.8 * w * (u[2] - 0.5)};
    });
    // Pier and saddle.
    parts.box({x - 1.3 * foot, 0, side * leg_z(0) - 1.1 * foot},
              {x + 1.3 * foot, 0.25 * d.deck_y, side * leg_z(0) + 1.1 * foot}, foot / 2);
    parts.box({x - 0.8 * head, d.tower_y - 0.2 * head, side * d.half_z - 0.7 * head},
              {x + 0.8 * head, top + 0.3 * head, side * d.half_z + 0.7 * head}, head / 2);
  }
  const auto beam = [&](double y, double height) {
    parts.bar({x, y, -leg_z(y)}, {x, y, leg_z(y)}, 0.7 * head, height, Vector3d::UnitY(), head);
  };
  beam(d.deck(x) - 0.8 * head, 1.2 * head);
  const double lower = d.deck(x) + 0.35 * (d.tower_y - d.deck(x));
  const double upper = d.tower_y - 0.5 * head;
  beam(lower, head);
  beam(upper, 1.2 * head);
  for (const double side : {-1.0, 1.0}) {
    parts.bar({x, lower, -side * d.half_z}, {x, upper, side * d.half_z}, 0.4 * head, 0.4 * head,
              Vector3d::UnitX(), head);
  }
}

void add_cables(Parts& parts, const Dimensions& d, int hangers) {
  parts.group("cables");
  const double radius = 0.0028 * d.length;
  for (const double z : {-d.half_z, d.half_z}) {
    std::vector<Vector3d> points;
    const int n = 240;
    for (int k = 0; k <= n; ++k) {
      const double x = d.length * (static_cast<double>(k) / n - 0.5);
      points.push_back({x, d.cable(x), z});
    }
    parts.tube(with_radius(points, radius), 10);
    for (int k = 1; k < hangers; ++k) {
      const double x = d.length * (static_cast<double>(k) / hangers - 0.5);
      const double low = d.deck(x), high = d.cable(x);
      if (high - low < 0.02 * d.length || std::abs(std::abs(x) - d.tower_x) < 0.01 * d.length) {
        continue;
      }
      // The hanger ends inside the deck's edge girder, which reaches out to it.
      parts.rod({x, low, z}, {x, high, z}, 0.3 * radius, 8, 6);
      parts.rod({x, high - 1.6 * radius, z}, {x, high + 0.9 * radius, z}, 1.25 * radius, 8, 2);
      const double inner = std::copysign(d.width / 2, z);
      parts.bar({x, low, 0.95 * inner}, {x, low, z * 1.02}, 0.004 * d.length, 0.005 * d.length,
                Vector3d::UnitY());
    }
  }
}

Model make_bridge(const Values& p) {
  Dimensions d{};
  d.length = p["length"], d.width = p["width"], d.tower_x = 0.3 * d.length;
  d.tower_y = p["tower_height"], d.deck_y = 0.3 * d.tower_y,
  d.half_z = 0.5 * d.width + 0.008 * d.length;
  d.sag_y = d.deck(0) + 0.03 * d.length;
  Parts parts;
  add_deck(parts, d);
  for (const double x : {-d.tower_x, d.tower_x}) add_tower(parts, d, x);
  add_cables(parts, d, p.count("hangers"));

  // The abutments at both ends and the feet of the towers.
  const double x = d.length / 2, far = d.length;
  std::vector<Eigen::AlignedBox3d> fixed;
  for (const double side : {-1.0, 1.0}) {
    fixed.emplace_back(Vector3d(side * x - 0.01 * far, -far, -far).eval(),
                       Vector3d(side * x + 0.01 * far, far, far).eval());
  }
  fixed.emplace_back(Vector3d(-far, -far, -far), Vector3d(far, 0.01 * d.length, far));
  return {.surface = parts.finish(),
          .materials = {material::steel("cables"), material::concrete("towers"),
                        material::steel("railing"), material::steel("deck")},
          .fixed = std::move(fixed),
          .voxel_resolution = 128,
          .fill_interior = true};
}

}  // namespace

Entry bridge() {
  return {{"bridge",
           "a suspension bridge with cables, held at its ends and feet",
           false,
           true,
           {{"length", 300, 1, 3000, "m", "of the deck"},
            {"width", 22, 0.1, 300, "m", "of the deck"},
            {"tower_height", 78, 0.3, 1000, "m", "of the towers"},
            {"hangers", 60, 4, 300, "", "spaces between hangers", true}}},
          make_bridge};
}

}  // namespace pliant::model
