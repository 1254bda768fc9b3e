// SPDX-License-Identifier: MIT
// Small displacements of a body under many loads at once: K u = f with the stiffness at rest.
//
// Held body: K in the free displacements is positive definite; one factorisation.
//
// Free body (inertia relief): f is balanced by the inertia forces of the rigid acceleration that it
// causes, and u is measured in the frame that moves along,
//
//   K u = (I - M R R^T) f,   R^T M u = 0           (R: 3 #V by 6 rigid motions, mass-orthonormal)
//
// K is singular, K R = 0. Springs at six displacements that hold the body without constraining its
// shape make it definite; under a balanced load they carry nothing, so that u is exact up to a
// rigid motion, which is then taken out. The six are the pivots of a QR factorisation of R^T.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/reduced/bake/linear_modes.hpp"

namespace pliant {

class RestSolver {
 public:
  // `modes` tells the rigid motions and the mass. Throws Error as linear_modes() does.
  RestSolver(const fem::ElasticModel& model, const fem::Constraints& constraints,
             const LinearModes& modes);

  // F: 3 #V by any number of columns, forces in, displacements out, in place. One part of the
  // progress a column.
  void solve_in_place(MatrixXd& F, Progress& progress = Progress::none()) const;

  const SparseMatrix& M() const { return M_; }

 private:
  fem::Constraints constraints_;
  SparseMatrix M_;
  MatrixXd R_, MR_;
  Cholesky factor_;
};

}  // namespace pliant
