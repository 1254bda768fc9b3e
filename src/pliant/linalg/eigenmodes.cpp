// SPDX-License-Identifier: MIT
#include "pliant/linalg/eigenmodes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/linalg/dense_eigen.hpp"

namespace pliant {
namespace {

// Vectors a step: modes of higher multiplicity than this come late; larger blocks need more solves.
constexpr Index block_size = 8;
// With |σ| a small part of the largest λ, rigid modes stand far above the others in 1/(λ - σ).
constexpr double relative_shift = 1e-8;
// |λ| below this part of the largest λ is zero, up to the rounding in K.
constexpr double relative_zero = 1e-11;
// Problems of this size or smaller are solved densely.
constexpr Index dense_size = 200;
constexpr int most_restarts = 300;

// A lower bound of the largest λ, and in practice its order: the Rayleigh quotients of the axes.
double largest_eigenvalue(const SparseMatrix& K, const SparseMatrix& M) {
  const VectorXd k = K.diagonal(), m = M.diagonal();
  double largest = 0.0;
  for (Index i = 0; i < m.size(); ++i) {
    if (!(m[i] > 0.0)) {
      throw Error({"", 0, "row " + std::to_string(i)}, "diagonal of the mass matrix",
                  std::to_string(m[i]), "a positive number");
    }
    largest = std::max(largest, k[i] / m[i]);
  }
  return largest;
}

class BlockLanczos {
 public:
  BlockLanczos(const SparseMatrix& K, const SparseMatrix& M, const EigenmodesOptions& options)
      : K_(K), M_(M), options_(options), lambda_max_(largest_eigenvalue(K, M)) {}

  Eigenmodes run(Progress& progress);

 private:
  void factor();
  // Makes W M-orthonormal to V's first `size_` columns and within itself, in place:
  //   W_old = V C + W_new R
  // A column that vanishes is replaced by a random one, with a zero in R.
  void orthonormalise(MatrixXd& W, MatrixXd& C, MatrixXd& R);
  void restart(const DenseEigen& ritz, Index keep);
  Eigenmodes extract(const DenseEigen& ritz, Index count) const;

  const SparseMatrix& K_;
  const SparseMatrix& M_;
  const EigenmodesOptions& options_;
  const double lambda_max_;
  Cholesky solver_;
  double shift_ = 0.0;
  Random random_{20};
  MatrixXd V_;      // M-orthonormal basis; the first size_ columns are in use
  Index size_ = 0;  // includes the newest block, which the operator has not seen yet
  MatrixXd H_;      // Vᵀ M (K - σM)⁻¹ M V, for the columns before the newest block
  int solves_ = 0;
};

void BlockLanczos::factor() {
  if (options_.rigid == 0) {
    solver_.analyse(K_, options_.cholesky);
    return solver_.factor(K_);
  }
  shift_ = -relative_shift * lambda_max_;
  const SparseMatrix shifted = K_ - shift_ * M_;
  solver_.analyse(shifted, options_.cholesky);
  const int row = solver_.try_factor(shifted);
  if (row >= 0) {
    throw Error({"", 0, "row " + std::to_string(row)},
                "modes: the stiffness has a negative eigenvalue (an unstable state, an inverted "
                "element or a negative material), or the mass is not positive");
  }
}

void BlockLanczos::orthonormalise(MatrixXd& W, MatrixXd& C, MatrixXd& R) {
  const auto V = V_.leftCols(size_);
  const auto project = [&](MatrixXd& X) {
    MatrixXd c = V.transpose() * multiply(M_, X);
    X.noalias() -= V * c;
    return c;
  };
  const MatrixXd MW = multiply(M_, W);
  const VectorXd before = W.cwiseProduct(MW).colwise().sum().cwiseSqrt();
  C = project(W);
  C += project(W);
  R = MatrixXd::Zero(W.cols(), W.cols());
  for (Index j = 0; j < W.cols(); ++j) {
    bool fresh = false;  // the column was replaced
    for (int attempt = 0;; ++attempt) {
      PLIANT_ASSERT(attempt < 10, "a random vector is independent of fewer than n others");
      const auto others = W.leftCols(j);
      for (int pass = 0; pass < 2; ++pass) {
        const VectorXd c = others.transpose() * (M_ * W.col(j));
        W.col(j) -= others * c;
        if (!fresh) R.col(j).head(j) += c;
      }
      const double norm = std::sqrt(W.col(j).dot(M_ * W.col(j)));
      if (norm > 1e-12 * before[j] && norm > 0.0) {
        W.col(j) /= norm;
        if (!fresh) R(j, j) = norm;
        break;
      }
      fresh = true;
      MatrixXd column = MatrixXd::NullaryExpr(W.rows(), 1, [&] { return random_.normal(); });
      column /= std::sqrt(column.col(0).dot(M_ * column.col(0)));
      project(column);
      project(column);
      W.col(j) = column;
    }
  }
}

void BlockLanczos::restart(const DenseEigen& ritz, Index keep) {
  // Ritz values ascend; the largest belong to the lowest modes.
  const Index m = ritz.values.size();
  const MatrixXd newest = V_.middleCols(size_ - block_size, block_size);
  const MatrixXd kept = V_.leftCols(m) * ritz.vectors.rightCols(keep);
  V_.leftCols(keep) = kept;
  V_.middleCols(keep, block_size) = newest;
  H_.setZero();
  H_.topLeftCorner(keep, keep) = ritz.values.tail(keep).asDiagonal();
  size_ = keep + block_size;
}

Eigenmodes BlockLanczos::extract(const DenseEigen& ritz, Index count) const {
  // A last Rayleigh-Ritz step with K itself: λ is then right to the square of the vectors' error.
  const Index m = ritz.values.size();
  const MatrixXd X = V_.leftCols(m) * ritz.vectors.rightCols(count);
  const MatrixXd small_K = X.transpose() * multiply(K_, X);
  const MatrixXd small_M = X.transpose() * multiply(M_, X);
  const DenseEigen refined = symmetric_eigen(small_K, small_M);
  Eigenmodes result;
  result.lambda = refined.values;
  result.modes = X * refined.vectors;
  result.shift = shift_;
  result.solves = solves_;
  return result;
}

Eigenmodes BlockLanczos::run(Progress& progress) {
  const Index n = K_.rows();
  progress.begin("modes", options_.count);
  factor();
  progress.throw_if_cancelled();
  const double zero = relative_zero * lambda_max_;
  // Rigid modes come first; with each that is found one mode more is wanted.
  Index wanted = options_.count + std::max(0, options_.rigid);
  const auto most = [&] { return std::min(n - block_size, 2 * wanted + 8 * block_size); };
  const auto make_room = [&] {
    if (V_.cols() >= most() + 2 * block_size) return;
    V_.conservativeResize(n, most() + 2 * block_size);
    H_.conservativeResizeLike(MatrixXd::Zero(V_.cols(), V_.cols()));
  };
  make_room();

  MatrixXd W = MatrixXd::NullaryExpr(n, block_size, [&] { return random_.normal(); });
  MatrixXd C, R;
  orthonormalise(W, C, R);
  V_.leftCols(block_size) = W;
  size_ = block_size;
  Index reported = 0;
  for (int restarts = 0; restarts <= most_restarts;) {
    W = multiply(M_, V_.middleCols(size_ - block_size, block_size));
    solver_.solve_in_place(W);
    solves_ += static_cast<int>(block_size);
    orthonormalise(W, C, R);
    const Index m = size_;
    H_.block(0, m - block_size, m, block_size) = C;
    H_.block(m - block_size, 0, block_size, m) = C.transpose();
    V_.middleCols(m, block_size) = W;
    size_ += block_size;

    const DenseEigen ritz = symmetric_eigen(H_.topLeftCorner(m, m));
    Index converged = 0, zeros = 0;
    for (Index i = 0; i < m; ++i) {
      const Index column = m - 1 - i;
      const double theta = ritz.values[column];
      const double residual = (R * ritz.vectors.col(column).tail(block_size)).norm();
      if (!(residual <= options_.tolerance * theta)) break;
      ++converged;
      if (1.0 / theta + shift_ < zero) ++zeros;
    }
    if (options_.rigid < 0) wanted = options_.count + zeros;
    progress.throw_if_cancelled();
    if (converged > reported) {
      progress.advance(std::min<std::int64_t>(converged, options_.count) -
                       std::min<std::int64_t>(reported, options_.count));
      reported = converged;
    }
    if (converged >= wanted) {
      progress.end();
      return extract(ritz, wanted);
    }
    if (wanted > n - 2 * block_size) break;
    make_room();
    if (m >= most()) {
      restart(ritz, std::min(m - block_size, wanted + block_size));
      ++restarts;
    }
  }
  throw Error("modes: no convergence after " + std::to_string(solves_) +
              " solves; ask for fewer modes");
}

// All of a small problem, by dense algebra.
Eigenmodes dense_modes(const SparseMatrix& K, const SparseMatrix& M) {
  DenseEigen dense = symmetric_eigen(MatrixXd(K), MatrixXd(M));
  Eigenmodes all;
  all.lambda = std::move(dense.values);
  all.modes = std::move(dense.vectors);
  return all;
}

// Sets the modes with λ = 0 apart and keeps `count` of the others.
Eigenmodes separate(Eigenmodes all, const SparseMatrix& K, const SparseMatrix& M,
                    const EigenmodesOptions& options) {
  const double zero = relative_zero * largest_eigenvalue(K, M);
  Index rigid = options.rigid;
  if (rigid < 0) {
    rigid = 0;
    while (rigid < all.lambda.size() && all.lambda[rigid] < zero) ++rigid;
  }
  if (all.lambda[0] < -zero) {
    throw Error({}, "modes: the lowest eigenvalue", std::to_string(all.lambda[0]),
                "none below zero; the body is unstable or prestressed");
  }
  if (rigid + options.count > all.lambda.size()) {
    throw Error({}, "modes: number asked for", std::to_string(options.count),
                "at most " + std::to_string(all.lambda.size() - rigid));
  }
  Eigenmodes result;
  result.shift = all.shift;
  result.solves = all.solves;
  result.rigid = all.modes.leftCols(rigid);
  result.lambda = all.lambda.segment(rigid, options.count);
  result.modes = all.modes.middleCols(rigid, options.count);
  const MatrixXd K_modes = multiply(K, result.modes), M_modes = multiply(M, result.modes);
  result.residuals.resize(options.count);
  for (Index i = 0; i < options.count; ++i) {
    const double lambda = result.lambda[i];
    result.residuals[i] =
        (K_modes.col(i) - lambda * M_modes.col(i)).norm() / (lambda * M_modes.col(i).norm());
    Index largest = 0;
    result.modes.col(i).cwiseAbs().maxCoeff(&largest);
    if (result.modes(largest, i) < 0.0) result.modes.col(i) *= -1.0;
  }
  return result;
}

}  // namespace

Eigenmodes eigenmodes(const SparseMatrix& K, const SparseMatrix& M,
                      const EigenmodesOptions& options, Progress& progress) {
  const Index n = K.rows();
  PLIANT_ASSERT(K.cols() == n && M.rows() == n && M.cols() == n, "K and M are n by n");
  PLIANT_ASSERT(options.rigid >= -1 && options.tolerance > 0.0, "options in their range");
  require_finite(K);
  require_finite(M);
  if (options.count < 1 || options.count + std::max(0, options.rigid) > n) {
    throw Error({}, "modes: number asked for", std::to_string(options.count),
                "1 to " + std::to_string(n - std::max(0, options.rigid)));
  }
  const Index wanted = options.count + (options.rigid < 0 ? 6 : options.rigid);
  if (n <= dense_size || 3 * wanted + 6 * block_size > n) {
    largest_eigenvalue(K, M);  // refuses a mass that is not positive
    return separate(dense_modes(K, M), K, M, options);
  }
  return separate(BlockLanczos(K, M, options).run(progress), K, M, options);
}

}  // namespace pliant
