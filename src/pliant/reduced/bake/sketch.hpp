// SPDX-License-Identifier: MIT
// Basis from a sketch, [Barbic07] 2.8.2: a user pulls at a linear model of the body; the recorded
// forces are thinned, the nonlinear body is solved for those that are left, and the shapes are
// thinned again.
//
//   1. Loads. A load f is seen through the linear answer that the user saw, q = Lambda^-1 Psi^T f
//      (k modes), |q| its mass norm. Loads are kept at a distance of at least `load_separation`
//      from each other and from rest (thinning.hpp).
//   2. Statics R(u) = f, unreduced. Loads are taken farthest first, each warm-started from the
//      nearest one before it in that order (or rest), so that few loads wait for others; those that
//      do not wait for each other run in parallel. A load without a solution is reported and left
//      out.
//   3. Shapes at a mass distance (2.40) of at least `shape_separation` from each other.
//
// The same input gives the same bits for any number of threads. A sketch can be refined: with the
// earlier one given, only loads that are new to it are solved, and all that it kept is kept.
//
// The body must be held. A free body is held somewhere for the sketch, with `modes` under the same
// constraints; mass_pca() takes the rigid part out of its shapes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/reduced/bake/linear_modes.hpp"
#include "pliant/reduced/bake/sketch_loads.hpp"

namespace pliant {

struct SketchOptions {
  double load_separation = 0.05;  // part of the largest |q|
  double shape_separation = 0.1;  // part of the largest |u|_M
  fem::StaticOptions statics{.tolerance = 1e-7, .max_load_steps = 64};
};

struct DroppedLoad {
  int load;  // of those given
  double time;
  std::string reason;
};

struct Sketch {
  std::vector<SketchLoad> loads;  // all that were solved
  MatrixXd shapes;                // 3 #V by #loads, their equilibria [m]
  std::vector<int> kept;          // ascending: the shapes left by the second thinning

  // Of the last solve.
  std::vector<DroppedLoad> dropped;
  int solved = 0;             // loads
  int newton_iterations = 0;  // in all

  MatrixXd kept_shapes() const { return shapes(Eigen::all, kept); }  // for mass_pca()
};

// Throws Error: no loads, a body that is not held, options out of range, all loads without effect;
// Cancelled.
Sketch solve_sketch(const fem::ElasticModel& model, const fem::Constraints& constraints,
                    const LinearModes& modes, const std::vector<SketchLoad>& recorded,
                    const SketchOptions& options = {}, const Sketch& earlier = {},
                    Progress& progress = Progress::none());

// Loads, shapes and which are kept, as tensors: those of sketch_loads.hpp, "shapes" F64 [#loads,
// 3 #V], "kept" I32. Reading throws Error as read_sketch_loads() does, and if they do not fit.
void write_sketch(const std::filesystem::path& path, const Sketch& sketch);
Sketch read_sketch(const std::filesystem::path& path, int node_count);

}  // namespace pliant
