// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/inertial_derivatives.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/bake/rest_solver.hpp"

namespace pliant {
namespace {

// |mu - lambda_i| / lambda_i below which two frequencies are one.
constexpr double same_frequency = 1e-6;
constexpr double tolerance = 1e-11;  // of the residual in the norm of K^-1
constexpr int most_iterations = 300;

VectorXd column_products(const MatrixXd& A, const MatrixXd& B) {
  return A.cwiseProduct(B).colwise().sum();
}

// Solves (K - lambda M) Y = B for Y mass-orthogonal to the columns of W, W^T B = 0.
class ComplementSolver {
 public:
  ComplementSolver(const SparseMatrix& K, const RestSolver& preconditioner, const MatrixXd& W,
                   const MatrixXd& MW)
      : K_(K), preconditioner_(preconditioner), W_(W), MW_(MW) {}

  MatrixXd solve(double lambda, MatrixXd B, Index mode, Progress& progress) const {
    MatrixXd& r = B;
    MatrixXd Y = MatrixXd::Zero(r.rows(), r.cols());
    MatrixXd z = preconditioned(r), p = z;
    VectorXd rz = column_products(r, z);
    const VectorXd enough = tolerance * tolerance * rz;
    for (int i = 0; (rz.array() > enough.array()).any(); ++i) {
      progress.throw_if_cancelled();
      MatrixXd Ap = multiply(K_, p);
      const VectorXd pKp = column_products(p, Ap);
      Ap -= lambda * multiply(preconditioner_.M(), p);
      const VectorXd pAp = column_products(p, Ap);
      VectorXd alpha = VectorXd::Zero(rz.size()), beta = alpha;
      for (Index j = 0; j < rz.size(); ++j) {
        if (!(rz[j] > enough[j])) continue;
        if (i == most_iterations || !(pAp[j] > same_frequency * pKp[j])) fail(mode);
        alpha[j] = rz[j] / pAp[j];
      }
      Y += p * alpha.asDiagonal();
      r -= Ap * alpha.asDiagonal();
      z = preconditioned(r);
      const VectorXd next = column_products(r, z);
      for (Index j = 0; j < rz.size(); ++j) {
        if (alpha[j] > 0) beta[j] = next[j] / rz[j];
      }
      p = z + p * beta.asDiagonal();
      rz = next;
    }
    return Y;
  }

 private:
  MatrixXd preconditioned(MatrixXd r) const {
    remove_motions(MW_, W_, r);
    preconditioner_.solve_in_place(r);
    remove_motions(W_, MW_, r);
    return r;
  }

  [[noreturn]] static void fail(Index mode) {
    throw Error({"", 0, fmt::format("mode {}", mode)},
                "derivatives: the equation of its change has no solution among the modes given: "
                "the next mode, which is not given, has the same frequency",
                "", "one mode more, or one less");
  }

  const SparseMatrix& K_;
  const RestSolver& preconditioner_;
  const MatrixXd &W_, &MW_;
};

}  // namespace

MatrixXd inertial_derivatives(const fem::ElasticModel& model, const fem::Constraints& constraints,
                              const LinearModes& modes, Progress& progress) {
  const Index k = modes.count(), rigid = modes.rigid.cols();
  const RestSolver rest(model, constraints, modes);
  const SparseMatrix K = model.tangent(VectorXd::Zero(model.dof()));
  MatrixXd W(model.dof(), rigid + k);
  W << modes.rigid, modes.Psi;
  VectorXd mu = VectorXd::Zero(rigid + k);
  mu.tail(k) = modes.lambda();
  const MatrixXd MW = multiply(rest.M(), W);
  const ComplementSolver complement(K, rest, W, MW);

  progress.begin("inertial modal derivatives", k);
  progress.throw_if_cancelled();
  const MatrixXd H = model.hessian_products(modes.Psi);
  MatrixXd Phi(model.dof(), k * k);
  for (Index i = 0; i < k; ++i) {
    const double lambda = modes.lambda()[i];
    MatrixXd B(model.dof(), k);
    for (Index j = 0; j < k; ++j) {
      B.col(j) = -H.col(pair_index(std::min(i, j), std::max(i, j), k));
    }
    MatrixXd c = W.transpose() * B;
    B.noalias() -= MW * c;  // also takes out the part along Psi_i, as (2.46) does
    for (Index m = 0; m < c.rows(); ++m) {
      const double gap = mu[m] - lambda;
      if (std::abs(gap) > same_frequency * lambda) {
        c.row(m) /= gap;
      } else {
        c.row(m).setZero();
      }
    }
    Phi.middleCols(i * k, k) = complement.solve(lambda, std::move(B), i, progress);
    Phi.middleCols(i * k, k).noalias() += W * c;
    progress.advance();
  }
  progress.end();
  return Phi;
}

}  // namespace pliant
