// SPDX-License-Identifier: MIT
// The vademecum of a body with large deformations: shapes X, and the separated answer to one load
// anywhere on the accessible boundary (separated_weights.hpp).
//
// Shapes. Those of small loads first (pgd.hpp). Then greedily, from what equilibrium leaves in the
// shapes so far, rho = t f - R(X c(s, e, t)) at some loads and magnitudes of the path
// (load_path.hpp): the product R S is sought that corrects most of it in the stiffness at rest, by
// alternating directions,
//
//   S = rho^T R        K(0) R = rho S
//
// and is orthonormalised in K(0) against the X before it. After some of them all paths are followed
// anew in the larger space: Galerkin's condition. No solution of the full equations is ever made.
//
// Weights. All paths in these shapes are a table c(s, e, t); shapes that it does not need are left
// out (compression), and it is separated (separate.hpp).
#pragma once

#include <vector>

#include "pliant/base/tensor_file.hpp"
#include "pliant/vademecum/bake/hyper_training.hpp"
#include "pliant/vademecum/bake/load_path.hpp"
#include "pliant/vademecum/bake/pgd.hpp"
#include "pliant/vademecum/bake/separate.hpp"

namespace pliant {

struct VademecumOptions {
  int shapes = 40;          // at most
  double tolerance = 0.01;  // of shapes and of weights
  int terms = 300;          // of weights, at most
  int training = 80;        // loads from which shapes are sought
  int together = 6;         // shapes that are sought between two rounds of paths
  // Of the correction, at most so many times as shapes. 0: no correction, and what superposition
  // misses is not measured either.
  int points = 6;
  // Nodes at which a path cannot be followed to the largest load are left out; otherwise an Error.
  bool drop_lost = false;
  PathOptions path = {};
};

struct Vademecum {
  MatrixXd U;  // 3 #V by r, orthonormal in the stiffness at rest
  LoadSpace loads;
  Separation separation;
  HyperTraining hyper;
  MatrixXd gravity;  // r by 3: U^T m g_i
  MatrixXd mass;     // r by r, lumped
  // What equilibrium left after each round, as the energy norm of its correction at rest over that of
  // the answer: root mean square over the loads of the training.
  VectorXd residual;
  // Of answers to a single load, and to three at once, between the superposed vademecum and the
  // equilibrium in the shapes: worst of some random ones, in the energy norm at rest.
  double single_error = 0.0, triple_error = 0.0;
  std::vector<int> lost;  // nodes that were left out

  // In the leading shapes alone, which are those that the answers need most. The errors stay those of
  // all shapes.
  Vademecum truncated(Index shapes) const;
  // c of one load at node s, in direction e, of t newtons.
  VectorXd answer(Index s, Index e, double t) const { return separation.weights.answer(s, e, t); }

  void write(TensorWriter& out, const std::string& prefix) const;  // all but U
};

// Throws Error as load_space and LoadPath::follow do; a part of the body that nothing holds; more
// memory than there is.
Vademecum bake_vademecum(const fem::ElasticModel& model, const fem::Constraints& constraints,
                         const LoadOptions& loads, const VademecumOptions& options = {},
                         Progress& progress = Progress::none());

}  // namespace pliant
