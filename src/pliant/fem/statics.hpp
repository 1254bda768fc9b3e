// SPDX-License-Identifier: MIT
// Equilibrium under dead loads: R(u) = f, by Newton's method on the potential V(u) - f.u with a
// line search that keeps the energy falling, and load stepping where one step does not get there.
#pragma once

#include <memory>

#include "pliant/base/progress.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"

namespace pliant::fem {

struct StaticOptions {
  double tolerance = 1e-9;    // on |T^T (f - R)|, relative to the largest of |T^T f|, |R|
  int max_iterations = 60;    // of Newton, a load step
  int load_steps = 1;         // equal parts of the load to begin with
  int max_load_steps = 4096;  // a step that fails is halved, until it would be smaller than this
};

struct StaticResult {
  VectorXd u;             // 3 #V
  int iterations = 0;     // of Newton, in all
  int load_steps = 0;     // that were needed
  double residual = 0.0;  // relative, as in the options
};

// f: 3 #V. The start is u (its free part), or rest if it is empty. Throws Error: a part of the body
// that is not held, a load that is not finite, options out of range, no convergence (with the load
// factor reached).
StaticResult solve_static(const ElasticModel& model, const Constraints& constraints,
                          const VectorXd& f, const StaticOptions& options = {},
                          const VectorXd& start = {}, Progress& progress = Progress::none());

// The same for many loads, one after the other: what depends on the mesh alone (the pattern of K,
// its ordering) is done once. Keeps references to both. A result does not depend on the solves
// before it.
class StaticSolver {
 public:
  // Throws Error: a part of the body that is not held.
  StaticSolver(const ElasticModel& model, const Constraints& constraints);
  ~StaticSolver();
  StaticSolver(StaticSolver&&) noexcept;
  StaticSolver& operator=(StaticSolver&&) noexcept;

  StaticResult solve(const VectorXd& f, const StaticOptions& options = {},
                     const VectorXd& start = {}, Progress& progress = Progress::none());

 private:
  class Equilibrium;
  std::unique_ptr<Equilibrium> equilibrium_;
};

// Small displacements: K(0) u = f, one factorisation, any number of loads (columns of F). Throws
// Error as above, and for a body that can still turn.
MatrixXd solve_linear_static(const ElasticModel& model, const Constraints& constraints,
                             const MatrixXd& F);

// Throws Error if some part of the mesh, connected by elements, has no fixed node, a free node
// belongs to no element, or the constraints are those of another mesh.
void require_held(const VolumeMesh& mesh, const Constraints& constraints);

}  // namespace pliant::fem
