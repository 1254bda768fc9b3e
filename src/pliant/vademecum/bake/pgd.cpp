// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/pgd.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/random.hpp"
#include "pliant/linalg/dense_eigen.hpp"

namespace pliant {
namespace {

// Of what a vector had before: less is rounding.
constexpr double dependent = 1e-6;

// The product S D nearest to the work W (#s by #axes): its first singular pair, by the same
// alternation; W becomes it.
void separate(MatrixXd& W) {
  VectorXd D(W.cols());
  for (Index j = 0; j < W.cols(); ++j) D[j] = W.col(j).norm();
  if (W.cols() == 1 || D.norm() == 0) return;
  // The signs of the strongest column's partners.
  Index strongest = 0;
  D.maxCoeff(&strongest);
  D = W.transpose() * W.col(strongest);
  D.normalize();
  for (int i = 0; i < 3; ++i) D = (W.transpose() * (W * D)).normalized();
  W = ((W * D) * D.transpose()).eval();
}

}  // namespace

bool orthonormalise(const SparseMatrix& K, const Eigen::Ref<const MatrixXd>& X, VectorXd& R) {
  const double before = std::sqrt(R.dot(K * R));
  if (!(before > 0)) return false;
  for (int pass = 0; pass < 2; ++pass) R -= X * (X.transpose() * (K * R));
  const double after = std::sqrt(R.dot(K * R));
  if (!(after > dependent * before)) return false;
  R /= after;
  return true;
}

Pgd pgd(const SparseMatrix& K, const Cholesky& solver, const LoadSpace& loads,
        const PgdOptions& options, Progress& progress) {
  const Index m = K.rows();
  const Index most =
      std::min<Index>({options.max_terms, loads.node_count() * loads.axes.cols(), m});
  progress.begin("separated modes", most);

  Random random(1);
  MatrixXd probes(m, options.probes);
  for (Index p = 0; p < probes.cols(); ++p) {
    MatrixXd signs(loads.node_count(), loads.axes.cols());
    for (double& g : signs.reshaped()) g = random.uniform() < 0.5 ? -1.0 : 1.0;
    probes.col(p) = loads.load_of(signs);
  }
  const MatrixXd answers = solver.solve_all(probes);
  const double total = probes.cwiseProduct(answers).sum();

  MatrixXd X(m, most);
  std::vector<double> error{1.0};
  double explained = 0;
  Pgd out;
  Index n = 0;
  while (n < most && error.back() > options.tolerance) {
    const auto known = X.leftCols(n);
    // Where to begin: what is missing of a mixture.
    VectorXd R = answers.col(n % probes.cols());
    bool found = orthonormalise(K, known, R);
    for (int i = 0; found && i < options.max_iterations; ++i) {
      const VectorXd before = R;
      MatrixXd W = loads.work_of(R);  // 2.1; R^T K X = 0: the terms before it do no work
      separate(W);
      R = solver.solve(loads.load_of(W));  // 2.2
      found = orthonormalise(K, known, R);
      ++out.iterations;
      if (1 - std::abs(R.dot(K * before)) < options.turned) break;
    }
    if (!found) break;
    X.col(n++) = R;
    explained += (R.transpose() * probes).squaredNorm();
    error.push_back(std::sqrt(std::max(0.0, 1 - explained / total)));
    progress.advance();
  }
  out.converged = error.back() <= options.tolerance;
  out.X = X.leftCols(n);
  out.error = Eigen::Map<const VectorXd>(error.data(), std::ssize(error));
  progress.end();
  return out;
}

MatrixXd compression(const MatrixXd& C, double tolerance, int max_terms) {
  const DenseEigen found = symmetric_eigen(C * C.transpose());
  const VectorXd w = found.values.cwiseMax(0.0).reverse();  // descending
  const double allowed = tolerance * tolerance * w.sum();
  Index kept = w.size();
  double left = 0;
  while (kept > 1 && (left + w[kept - 1] <= allowed || kept > max_terms)) left += w[--kept];
  return found.vectors.rightCols(kept).rowwise().reverse();
}

}  // namespace pliant
