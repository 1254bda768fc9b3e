// SPDX-License-Identifier: MIT
#include "pliant/linalg/pcg.hpp"

#include <memory>
#include <string>

#include <Eigen/IterativeLinearSolvers>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"

namespace pliant {
namespace {

void require_positive(const VectorXd& diagonal) {
  for (Index i = 0; i < diagonal.size(); ++i) {
    if (!(diagonal[i] > 0.0)) {
      throw Error({"", 0, "row " + std::to_string(i)}, "diagonal of the matrix",
                  std::to_string(diagonal[i]), "a positive number");
    }
  }
}

}  // namespace

LinearOperator jacobi(const VectorXd& diagonal) {
  require_positive(diagonal);
  return [inverse = VectorXd(diagonal.cwiseInverse())](const VectorXd& r, VectorXd& z) {
    z = inverse.cwiseProduct(r);
  };
}

LinearOperator incomplete_cholesky(const SparseMatrix& A) {
  require_finite(A);
  require_positive(A.diagonal());
  const auto factor = std::make_shared<Eigen::IncompleteCholesky<double>>(A);
  if (factor->info() != Eigen::Success) {
    throw Error(
        "incomplete Cholesky factorisation: no shift made it exist; the matrix is far from "
        "positive definite");
  }
  return [factor](const VectorXd& r, VectorXd& z) { z = factor->solve(r); };
}

IterativeResult pcg(const LinearOperator& A, const LinearOperator& preconditioner,
                    const VectorXd& b, VectorXd& x, const IterativeOptions& options) {
  const Index n = b.size();
  PLIANT_ASSERT(x.size() == n, "x holds the first guess");
  if (!b.allFinite() || !x.allFinite()) {
    throw Error("conjugate gradients: the right-hand side or the first guess is not finite");
  }
  IterativeResult result;
  const double scale = b.norm();
  if (scale == 0.0) {
    x.setZero();
    result.converged = true;
    return result;
  }
  const double goal = options.tolerance * scale;
  const Index limit = options.max_iterations > 0 ? options.max_iterations : 10 * n;

  VectorXd r(n), z(n), p(n), Ap(n);
  A(x, Ap);
  r = b - Ap;
  double rz_old = 0.0;
  while (r.norm() > goal && result.iterations < limit && !options.stop.stop_requested()) {
    preconditioner(r, z);
    const double rz = r.dot(z);
    if (rz_old == 0.0) {
      p = z;
    } else {
      p = z + (rz / rz_old) * p;
    }
    rz_old = rz;
    A(p, Ap);
    const double curvature = p.dot(Ap);
    if (!(curvature > 0.0) || !(rz > 0.0)) {
      result.indefinite = true;
      break;
    }
    const double alpha = rz / curvature;
    x += alpha * p;
    r -= alpha * Ap;
    ++result.iterations;
  }
  // The recurrence for r drifts away from b - A x; what is reported is the truth.
  A(x, Ap);
  result.residual = (b - Ap).norm() / scale;
  result.converged = !result.indefinite && result.residual <= 10.0 * options.tolerance;
  return result;
}

IterativeResult pcg(const SparseMatrix& A, const VectorXd& b, VectorXd& x,
                    const IterativeOptions& options) {
  return pcg(symmetric_product(A), incomplete_cholesky(A), b, x, options);
}

}  // namespace pliant
