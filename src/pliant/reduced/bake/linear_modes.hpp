// SPDX-License-Identifier: MIT
// Linear modes of a body at rest: [Barbic07] (2.43) at u0 = 0,
//
//   K Psi_i = lambda_i M Psi_i,   Psi^T M Psi = I,   lambda_i = omega_i^2
//
// A held body (fixed nodes) has no motion without stiffness. A free body (no fixed node) has six,
// its rigid motions; they are set apart and the modes are mass-orthogonal to them. Hanging nodes
// follow their parents: the problem is solved in the free displacements z, u = T z.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/reduced/bake/mass_matrix.hpp"

namespace pliant {

struct LinearModes {
  VectorXd omega;  // k, ascending [rad/s]
  MatrixXd Psi;    // 3 #V by k, mass-orthonormal; the largest entry of each is positive
  MatrixXd rigid;  // 3 #V by 0 (held) or 6 (free): mass-orthonormal, the exact linear motions
  MassKind mass = MassKind::lumped;

  Index count() const { return omega.size(); }
  bool free() const { return rigid.cols() > 0; }
  VectorXd lambda() const { return omega.cwiseAbs2(); }  // 1/s^2
};

// The k = `count` lowest modes with lambda > 0. Throws Error: a part of the body that is not held
// (fixed nodes in a line included), a free body in several parts, a node without an element, more
// modes than the body has; Cancelled.
LinearModes linear_modes(const fem::ElasticModel& model, const fem::Constraints& constraints,
                         int count, MassKind mass = MassKind::lumped,
                         Progress& progress = Progress::none());

// `count` modes, or up to four more: where the next mode is at least 1 % faster than the last one,
// or, if there is no such place, at the widest gap. Inertial derivatives cannot be made of modes
// that leave out one of a pair. Throws as above.
LinearModes linear_modes_to_a_gap(const fem::ElasticModel& model,
                                  const fem::Constraints& constraints, int count,
                                  MassKind mass = MassKind::lumped,
                                  Progress& progress = Progress::none());

// The six linear rigid motions of a body, 3 #V by 6, mass-orthonormal. Throws Error if all nodes
// are in a line.
MatrixXd rigid_motions(const VolumeMesh& mesh, const SparseMatrix& M);

// X becomes mass-orthogonal to the motions R (n by m, mass-orthonormal): X - R (M R)^T X.
//   MR: M R; X: n by any number of columns, in place
void remove_motions(const MatrixXd& R, const MatrixXd& MR, Eigen::Ref<MatrixXd> X);

}  // namespace pliant
