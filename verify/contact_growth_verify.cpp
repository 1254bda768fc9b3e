// SPDX-License-Identifier: MIT
// How the work of contact grows: of a field with the cells of its grid, of a shell with its points,
// and of a lookup of all points, beside that through the tree.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/bumpy_torus.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "verify/contact_subjects.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

// The least of three runs: the machine has other work.
double least_seconds(const std::function<void()>& run) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) least = std::min(least, bench::seconds_once(run));
  return least;
}

// Of the line through the ends of a curve in the logarithmic plot.
double power(const Curve& curve) {
  return std::log(curve.y.back() / curve.y.front()) / std::log(curve.x.back() / curve.x.front());
}

// Time as x^1, below the end of a curve.
Curve linear(const Curve& curve) {
  const double x = curve.x.back(), y = curve.y.back() / 3;
  return {.name = "linear", .x = {x / 30, x}, .y = {y / 30, y}, .dashed = true};
}

DistanceField field_of(const SurfaceDistance& distance, int resolution) {
  return DistanceField(distance_grid([&](const Matrix3Xd& P) { return distance.evaluate(P); },
                                     distance.box(), {.resolution = resolution}));
}

std::vector<Row> growth() {
  const SurfaceMesh torus = bench::bumpy_torus(128, 80);
  const SurfaceDistance distance(torus);
  Curve cells{.name = "bake of the field [s]", .x = {}, .y = {}, .markers = true};
  for (const int resolution : {64, 96, 128, 192, 256}) {
    cells.x.push_back(std::pow(resolution, 3));
    cells.y.push_back(least_seconds([&] { field_of(distance, resolution); }));
  }
  write_plot({.title = "A distance field by the cells of its box",
              .x_label = "cells",
              .y_label = "time [s]",
              .log_x = true,
              .log_y = true,
              .curves = {cells, linear(cells)}},
             "contact_growth_cells");

  const DistanceField field = field_of(distance, 128);
  Curve made{.name = "bake of the shell [us]", .x = {}, .y = {}, .markers = true};
  Curve every{.name = "every point looked up [us]", .x = {}, .y = {}, .markers = true};
  Curve nested{.name = "through the tree [us]", .x = {}, .y = {}, .markers = true};
  // Beside the other torus, some points deep in it.
  const ToField to{Eigen::AngleAxisf(0.7F, Eigen::Vector3f::UnitX()).toRotationMatrix(),
                   static_cast<float>(0.97 * distance.box().sizes()[0]) * Eigen::Vector3f::UnitX()};
  int levels = 3;
  for (const int points : {4000, 16'000, 64'000, 256'000}) {
    Pointshell shell;
    const double seconds = least_seconds([&] {
      shell = make_pointshell(field, torus, {.points = points, .levels = levels, .steps = 15});
    });
    const PointTreeData data = nest(shell);
    const LinearShape linear_shape(shell.X, MatrixXd(3 * shell.X.cols(), 0));
    const PointTree tree(data, linear_shape);
    const VectorXf none(0);
    Traversal traversal(tree), all(shell.X.cols());
    const Matrix3Xf X = shell.X.cast<float>();
    const auto count = static_cast<double>(shell.X.cols());
    for (Curve* curve : {&made, &every, &nested}) curve->x.push_back(count);
    made.y.push_back(1e6 * seconds);
    every.y.push_back(1e6 * bench::seconds([&] { all.run_all(X, field, to); }));
    nested.y.push_back(1e6 * bench::seconds([&] {
                         traversal.run(tree, linear_shape, none, field, to, {.coherent = false});
                       }));
    ++levels;
  }
  write_plot({.title = "A shell by its points",
              .x_label = "points",
              .y_label = "time [us]",
              .log_x = true,
              .log_y = true,
              .curves = {made, every, nested, linear(every)}},
             "contact_growth_points");
  return {at_most("field.cells_power", power(cells), 1.1, "", "1"),
          at_most("shell.points_power", power(made), 1.2, "", "1"),
          // More than 1, as few points and their cells are in the caches.
          at_most("every_point.points_power", power(every), 1.3, "", "1"),
          at_most("tree_over_every_point", nested.y.back() / every.y.back(), 0.25)};
}

const Experiments experiments{{.name = "contact.growth", .slow = true, .run = growth}};

}  // namespace
}  // namespace pliant::verify
