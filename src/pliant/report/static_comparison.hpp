// SPDX-License-Identifier: MIT
// Where engines come to rest under a force at one point, at several levels of it, against the full
// equilibrium by Newton's method (fem/statics.hpp). Engines with inertia are damped so that they come
// to rest; the force is raised in small steps from level to level.
//
//   error = |u - u_full|_M / |u_full|_M       of the displacements of all nodes, weighted with mass
#pragma once

#include <optional>

#include "pliant/report/comparison.hpp"

namespace pliant {

struct StaticComparisonOptions {
  std::vector<std::string> engines = {};  // of comparison_engines(); empty: see below
  std::optional<Vector3d> force = {};     // the largest [N]; absent: one that suits the body
  std::vector<double> levels = {0.25, 0.5, 1.0};  // of it, ascending
};

struct StaticEngine {
  std::string name, what;
  std::string left_out = {};            // why it did not run; empty: it did
  std::vector<double> error = {};       // of each level
  std::vector<double> deflection = {};  // of the point along the force [m]
  double step_mean = 0;                 // s; of the full one: of a solve
  double bake_seconds = 0;
};

struct StaticComparison {
  std::string title, body;
  int nodes = 0, elements = 0;
  int point = 0;                      // of the surface: where the body yields most
  Vector3d at = Vector3d::Zero();     // m
  Vector3d force = Vector3d::Zero();  // N, of level 1
  std::vector<double> levels;
  StaticEngine full;
  std::vector<StaticEngine> engines;  // linear, reduced, green, vademecum, or those wanted
};

// Of the first body that deforms. Without a force one is taken by which linear elasticity would move
// the point by 0.4 of the body's size; of a scene whose engine is vademecum, its largest load.
// Throws Error as compare() does.
StaticComparison compare_at_rest(const Scene& scene, const StaticComparisonOptions& options,
                                 const StepCache& cache, Progress& progress = Progress::none());

std::string static_comparison_page(const StaticComparison& comparison, const std::string& command);

}  // namespace pliant
