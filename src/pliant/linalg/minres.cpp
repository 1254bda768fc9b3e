// SPDX-License-Identifier: MIT
#include "pliant/linalg/minres.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <Eigen/QR>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"

namespace pliant {
namespace {

// Orthonormal columns that span those of N.
MatrixXd orthonormal(const MatrixXd& N) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(N);
  if (qr.rank() < N.cols()) {
    throw Error({}, "independent columns of the null space", std::to_string(qr.rank()),
                std::to_string(N.cols()));
  }
  return qr.householderQ() * MatrixXd::Identity(N.rows(), N.cols());
}

}  // namespace

IterativeResult minres(const LinearOperator& A, const LinearOperator& preconditioner,
                       const VectorXd& b, VectorXd& x, const MinresOptions& options) {
  const Index n = b.size();
  if (!b.allFinite()) throw Error("MINRES: the right-hand side is not finite");
  IterativeResult result;
  x = VectorXd::Zero(n);
  const double scale = b.norm();
  if (scale == 0.0) {
    result.converged = true;
    return result;
  }
  MatrixXd N;
  if (options.null_space.size() > 0) {
    PLIANT_ASSERT(options.null_space.rows() == n, "the null space has n rows");
    N = orthonormal(options.null_space);
  }
  const auto project = [&N](VectorXd& v) {
    if (N.size() > 0) v -= N * (N.transpose() * v);
  };
  if (N.size() > 0) {
    const double imbalance = (N.transpose() * b).norm() / scale;
    if (imbalance > options.balance) {
      throw Error({},
                  "the load on a free body is not balanced: part of it that pushes or turns "
                  "the body as a whole",
                  std::to_string(imbalance), "at most " + std::to_string(options.balance));
    }
  }

  const Index limit = options.max_iterations > 0 ? options.max_iterations : 10 * n;
  VectorXd v_old = VectorXd::Zero(n), v = b, v_new(n), z(n), z_new(n);
  project(v);
  const double goal = options.tolerance * v.norm();
  preconditioner(v, z);
  project(z);
  double beta = v.dot(z);
  if (beta < 0.0) throw Error("MINRES: the preconditioner is not positive definite");
  beta = std::sqrt(beta);
  VectorXd w_older = VectorXd::Zero(n), w_old = w_older, w(n), product(n);
  // QR of the Lanczos tridiagonal: rotations of the last two steps, and the rotated right side.
  double eta = beta, beta_old = 1.0, c = 1.0, c_old = 1.0, s = 0.0, s_old = 0.0;
  const double breakdown = 1e-14 * beta;
  // |eta| is the residual in the norm of M⁻¹, for nothing. The Euclidean norm costs a product and
  // is asked for only once |eta| has fallen far enough.
  double check_below = options.tolerance * beta;
  const auto true_residual = [&] {
    A(x, product);
    product = b - product;
    project(product);
    return product.norm();
  };
  while (beta > breakdown && result.iterations < limit) {
    z /= beta;
    A(z, v_new);
    project(v_new);
    const double alpha = z.dot(v_new);
    v_new -= (alpha / beta) * v + (beta / beta_old) * v_old;
    preconditioner(v_new, z_new);
    project(z_new);
    const double beta_new = std::sqrt(std::max(0.0, v_new.dot(z_new)));

    const double rho0 = c * alpha - c_old * s * beta;
    const double rho1 = std::hypot(rho0, beta_new);
    const double rho2 = s * alpha + c_old * c * beta;
    const double rho3 = s_old * beta;
    if (rho1 == 0.0) break;  // the load left the range of A
    c_old = c;
    s_old = s;
    c = rho0 / rho1;
    s = beta_new / rho1;
    w = (z - rho3 * w_older - rho2 * w_old) / rho1;
    x += (c * eta) * w;
    eta = -s * eta;
    ++result.iterations;

    std::swap(w_older, w_old);
    std::swap(w_old, w);
    std::swap(v_old, v);
    std::swap(v, v_new);
    std::swap(z, z_new);
    beta_old = beta;
    beta = beta_new;
    if (std::abs(eta) <= check_below) {
      if (true_residual() <= goal) break;
      check_below = 0.5 * std::abs(eta);
    }
  }
  project(x);
  result.residual = true_residual() / scale;
  result.converged = result.residual * scale <= 10.0 * goal;
  return result;
}

IterativeResult minres(const SparseMatrix& A, const VectorXd& b, VectorXd& x,
                       const MinresOptions& options) {
  require_finite(A);
  return minres(symmetric_product(A), jacobi(A.diagonal()), b, x, options);
}

}  // namespace pliant
