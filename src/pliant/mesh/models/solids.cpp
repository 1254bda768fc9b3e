// SPDX-License-Identifier: MIT
// Plain solids: cube, sphere, torus, cantilever beam, composite plate, pad.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/parts.hpp"

namespace pliant::model {
namespace {

constexpr double pi = std::numbers::pi;

ParameterInfo cells_parameter(double value, const char* along) {
  return {"cells", value, 1, 200, "", std::string("cells along ") + along, true};
}

Model make_cube(const Values& p) {
  Parts parts;
  const double a = p["size"] / 2;
  parts.box(Vector3d::Constant(-a), Vector3d::Constant(a), 2 * a / p["cells"]);
  return {.surface = parts.finish(), .materials = {material::rubber()}, .voxel_resolution = 24};
}

Model make_sphere(const Values& p) {
  Parts parts;
  const double r = p["radius"];
  // A cube blown up: no poles. Equal angles keep the cells alike.
  parts.block(Vector3i::Constant(p.count("cells")), [r](const Vector3d& u) -> Vector3d {
    const Vector3d angle = (u - Vector3d::Constant(0.5)) * (pi / 2);
    const Vector3d on_cube = angle.array().tan();
    return r * on_cube.normalized();
  });
  return {.surface = parts.finish(), .materials = {material::rubber()}, .voxel_resolution = 32};
}

Model make_torus(const Values& p) {
  Parts parts;
  Path path;
  const int n = 3 * p.count("cells");
  for (int i = 0; i < n; ++i) {
    const double a = 2 * pi * i / n;
    path.emplace_back(p["radius"] * std::cos(a), 0, -p["radius"] * std::sin(a), p["tube_radius"]);
  }
  parts.tube(path, p.count("cells"), true);
  return {.surface = parts.finish(), .materials = {material::rubber()}, .voxel_resolution = 48};
}

Model make_cantilever(const Values& p) {
  Parts parts;
  const double length = p["length"], y = p["height"] / 2, z = p["width"] / 2;
  parts.box({0, -y, -z}, {length, y, z}, length / p["cells"]);
  // What sticks out behind the wall, as voxels do, is held too.
  const Eigen::AlignedBox3d wall(Vector3d(-0.1 * length, -2 * y, -2 * z),
                                 Vector3d(1e-6 * length, 2 * y, 2 * z));
  return {.surface = parts.finish(),
          .materials = {material::rubber()},
          .fixed = {wall},
          .voxel_resolution = 48};
}

Model make_composite_plate(const Values& p) {
  Parts parts;
  const double x = p["length"] / 2, z = p["width"] / 2, rubber = p["rubber_height"],
               steel = p["steel_height"], edge = p["length"] / 24;
  parts.group("steel");
  parts.box({-x, rubber, -z}, {x, rubber + steel, z}, edge);
  const int bars = p.count("bars");
  const double side = 0.25 * rubber;
  for (int k = 0; k < bars; ++k) {
    const double c = -x + 2 * x * (k + 0.5) / bars;
    parts.box({c - side, 0.5 * rubber - side, -0.8 * z}, {c + side, 0.5 * rubber + side, 0.8 * z},
              edge);
  }
  parts.group("rubber");
  parts.box({-x, 0, -z}, {x, rubber, z}, edge);
  return {.surface = parts.finish(),
          .materials = {material::steel("steel"), material::rubber("rubber")},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-1.2 * x, -rubber, -1.2 * z),
                                        Vector3d(-0.9 * x, rubber + 2 * steel, 1.2 * z))},
          .voxel_resolution = 60};
}

// Cells of one size on top; each layer below it is thicker and has fewer.
Model make_pad(const Values& p) {
  Parts parts;
  const double length = p["length"], height = p["height"], width = p["width"], g = p["growth"];
  const int layers = p.count("layers");
  const auto depth = [&](double from_top) {  // of 1
    return g == 1 ? from_top / layers : (std::pow(g, from_top) - 1) / (std::pow(g, layers) - 1);
  };
  std::vector<Vector2i> cells;
  for (int k = 0; k <= layers; ++k) {
    const auto fewer = [&](const char* name) {
      return std::max(1, static_cast<int>(std::lround(p[name] / std::pow(g, k))));
    };
    cells.emplace_back(fewer("cells"), fewer("across"));
  }
  parts.layered_block(cells, [&](const Vector3d& u) -> Vector3d {
    return {length * (u[0] - 0.5), -height * depth(layers * (1 - u[1])), width * (u[2] - 0.5)};
  });
  const Eigen::AlignedBox3d ground(Vector3d(-length, -1.1 * height, -width),
                                   Vector3d(length, -height * (1 - 1e-6), width));
  return {.surface = parts.finish(),
          .materials = {material::rubber()},
          .fixed = {ground},
          .voxel_resolution = 32};
}

}  // namespace

Entry cube() {
  return {{"cube",
           "a cube",
           true,
           true,
           {{"size", 0.1, 1e-3, 1e3, "m", "side"}, cells_parameter(8, "a side")}},
          make_cube};
}

Entry sphere() {
  return {{"sphere",
           "a ball",
           true,
           true,
           {{"radius", 0.05, 1e-3, 1e3, "m", "radius"}, cells_parameter(24, "a quarter")}},
          make_sphere};
}

Entry torus() {
  return {{"torus",
           "a ring of round section, lying flat",
           true,
           true,
           {{"radius", 0.1, 1e-2, 1e3, "m", "of the axis"},
            {"tube_radius", 0.03, 1e-3, 1e3, "m", "of the section, below that of the axis"},
            {"cells", 32, 3, 200, "", "around the section; three times as many along", true}}},
          make_torus};
}

Entry cantilever() {
  return {{"cantilever",
           "a straight beam along x, held at x = 0",
           true,
           true,
           {{"length", 0.4, 1e-3, 1e3, "m", "along x"},
            {"height", 0.04, 1e-3, 1e3, "m", "along y"},
            {"width", 0.04, 1e-3, 1e3, "m", "along z"},
            cells_parameter(40, "the beam")}},
          make_cantilever};
}

Entry pad() {
  return {{"pad",
           "a block with its top at y = 0, held at its bottom; finer on top",
           true,
           true,
           {{"length", 0.15, 1e-3, 1e3, "m", "along x"},
            {"height", 0.11, 1e-3, 1e3, "m", "along y"},
            {"width", 0.09, 1e-3, 1e3, "m", "along z"},
            cells_parameter(32, "x, on top"),
            {"across", 18, 1, 200, "", "cells along z, on top", true},
            {"layers", 4, 1, 200, "", "layers of cells at the sides", true},
            {"growth", 1.5, 1, 10, "", "of a layer and its cells over those above"}}},
          make_pad};
}

Entry composite_plate() {
  return {{"composite_plate",
           "a steel plate on a rubber block with steel bars in it, held at one end",
           false,
           true,
           {{"length", 0.2, 1e-2, 1e2, "m", "along x"},
            {"width", 0.1, 1e-2, 1e2, "m", "along z"},
            {"steel_height", 0.01, 1e-3, 10, "m", "of the plate"},
            {"rubber_height", 0.04, 1e-3, 10, "m", "of the block below"},
            {"bars", 4, 0, 100, "", "steel bars across the block", true}}},
          make_composite_plate};
}

}  // namespace pliant::model
