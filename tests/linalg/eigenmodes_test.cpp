// SPDX-License-Identifier: MIT
#include "pliant/linalg/eigenmodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "linalg/elastic_grid.hpp"
#include "linalg/matrices.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linalg/rigid_modes.hpp"

namespace pliant {
namespace {

using test::elastic_grid;
using test::laplacian;

SparseMatrix identity(Index n) {
  SparseMatrix I(n, n);
  I.setIdentity();
  return I;
}

// The lowest `count` sums of 1D eigenvalues, see laplacian().
VectorXd analytic(int nx, int ny, int nz, bool held, int skip, int count) {
  const auto one = [held](int n, int k) {
    if (n == 1) return 0.0;
    const double angle =
        held ? std::numbers::pi * (k + 1) / (2.0 * (n + 1)) : std::numbers::pi * k / (2.0 * n);
    return 4.0 * std::sin(angle) * std::sin(angle);
  };
  std::vector<double> all;
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      for (int k = 0; k < nz; ++k) all.push_back(one(nx, i) + one(ny, j) + one(nz, k));
    }
  }
  std::sort(all.begin(), all.end());
  return Eigen::Map<VectorXd>(all.data() + skip, count);
}

void expect_modes(const Eigenmodes& result, const SparseMatrix& K, const SparseMatrix& M) {
  MatrixXd all(K.rows(), result.rigid.cols() + result.modes.cols());
  all << result.rigid, result.modes;
  const MatrixXd gram = all.transpose() * (M * all);
  EXPECT_LT((gram - MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(result.residuals.maxCoeff(), 1e-6);
  const VectorXd rayleigh = (result.modes.transpose() * (K * result.modes)).diagonal();
  EXPECT_LT(((rayleigh - result.lambda).array() / result.lambda.array()).abs().maxCoeff(), 1e-10);
}

// Many of a cube's eigenvalues are equal: three or six at a time.
TEST(Eigenmodes, AreThoseOfTheLaplacianWithItsMultiplicities) {
  const SparseMatrix K = laplacian(9, 9, 9, true), M = identity(729);
  const Eigenmodes result = eigenmodes(K, M, {.count = 25});
  const VectorXd expected = analytic(9, 9, 9, true, 0, 25);
  EXPECT_LT((result.lambda - expected).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_EQ(result.rigid.cols(), 0);
  expect_modes(result, K, M);
  const Eigenmodes unshifted = eigenmodes(K, M, {.count = 25, .rigid = 0});
  EXPECT_EQ(unshifted.shift, 0.0);
  EXPECT_LT((unshifted.lambda - expected).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Eigenmodes, OfASmallProblemComeFromDenseAlgebra) {
  const SparseMatrix K = laplacian(30, 1, 1, true);
  const VectorXd lambda = eigenmodes(K, identity(30), {.count = 30}).lambda;
  const VectorXd expected = analytic(30, 1, 1, true, 0, 30);
  EXPECT_LT((lambda - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Eigenmodes, OfALongChainAreFoundThroughRestarts) {
  const SparseMatrix K = laplacian(3000, 1, 1, true);
  const Eigenmodes result = eigenmodes(K, identity(3000), {.count = 40});
  EXPECT_GT(result.solves, 2 * 40 + 8 * 8);
  const VectorXd expected = analytic(3000, 1, 1, true, 0, 40);
  EXPECT_LT((result.lambda.cwiseQuotient(expected).array() - 1.0).abs().maxCoeff(), 1e-7);
}

TEST(Eigenmodes, SetTheZeroModeOfAFreeGridApart) {
  const SparseMatrix K = laplacian(11, 10, 9, false), M = identity(990);
  const Eigenmodes result = eigenmodes(K, M, {.count = 12});
  ASSERT_EQ(result.rigid.cols(), 1);
  EXPECT_LT((result.rigid.col(0).cwiseAbs().array() - 1.0 / std::sqrt(990.0)).abs().maxCoeff(),
            1e-9);
  EXPECT_LT((result.lambda - analytic(11, 10, 9, false, 1, 12)).cwiseAbs().maxCoeff(), 1e-9);
  expect_modes(result, K, M);
}

TEST(Eigenmodes, OfAFixedElasticBodyAreThoseOfDenseAlgebra) {
  const test::ElasticGrid grid = elastic_grid(8, 5, 4, 0.1, true);
  const Eigenmodes result = eigenmodes(grid.K, grid.M, {.count = 10});
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> dense{MatrixXd(grid.K),
                                                                 MatrixXd(grid.M)};
  const VectorXd expected = dense.eigenvalues().head(10);
  EXPECT_LT((result.lambda.cwiseQuotient(expected).array() - 1.0).abs().maxCoeff(), 1e-9);
  expect_modes(result, grid.K, grid.M);
}

TEST(Eigenmodes, SetTheSixRigidModesOfAFreeBodyApart) {
  const test::ElasticGrid grid = elastic_grid(9, 6, 4, 0.1, false);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> dense{MatrixXd(grid.K),
                                                                 MatrixXd(grid.M)};
  const VectorXd expected = dense.eigenvalues().segment(6, 10);
  const MatrixXd N = rigid_modes(grid.X);
  for (const int rigid : {-1, 6}) {
    const Eigenmodes result = eigenmodes(grid.K, grid.M, {.count = 10, .rigid = rigid});
    ASSERT_EQ(result.rigid.cols(), 6);
    EXPECT_LT((result.lambda.cwiseQuotient(expected).array() - 1.0).abs().maxCoeff(), 1e-8);
    // The rigid modes lie in the span of N: nothing is left after projection.
    const MatrixXd rest = N - result.rigid * (result.rigid.transpose() * (grid.M * N));
    EXPECT_LT(rest.norm(), 1e-7 * N.norm());
    expect_modes(result, grid.K, grid.M);
  }
}

TEST(Eigenmodes, FindTwelveRigidModesOfTwoBodies) {
  const test::ElasticGrid grid = elastic_grid(5, 4, 4, 0.1, false);
  const Index n = grid.K.rows();
  const auto twice = [n](const SparseMatrix& A) {
    std::vector<Triplet> triplets;
    for (Index j = 0; j < n; ++j) {
      for (SparseMatrix::InnerIterator it(A, j); it; ++it) {
        triplets.emplace_back(it.row(), j, it.value());
        triplets.emplace_back(it.row() + n, j + n, it.value());
      }
    }
    return test::from_triplets(2 * n, 2 * n, triplets);
  };
  const Eigenmodes one = eigenmodes(grid.K, grid.M, {.count = 4});
  const Eigenmodes two = eigenmodes(twice(grid.K), twice(grid.M), {.count = 8});
  ASSERT_EQ(two.rigid.cols(), 12);
  for (Index i = 0; i < 8; ++i) EXPECT_NEAR(two.lambda[i] / one.lambda[i / 2], 1.0, 1e-8);
}

TEST(Eigenmodes, AreTheSameBitsForAnyNumberOfThreads) {
  const test::ElasticGrid grid = elastic_grid(8, 6, 6, 0.1, true);
  const auto modes = [&](int n) {
    set_threads(n);
    const Eigenmodes result = eigenmodes(grid.K, grid.M, {.count = 6});
    set_threads(0);
    return result.modes;
  };
  EXPECT_EQ(modes(1), modes(2));
}

TEST(Eigenmodes, RefuseWhatHasNoModes) {
  const SparseMatrix K = laplacian(8, 8, 8, true), M = identity(512);
  EXPECT_THROW(eigenmodes(K, M, {.count = 0}), Error);
  EXPECT_THROW(eigenmodes(K, M, {.count = 513}), Error);
  EXPECT_THROW(eigenmodes(K, SparseMatrix(0.0 * M), {.count = 5}), Error);
  EXPECT_THROW(eigenmodes(SparseMatrix(K - 2.0 * M), M, {.count = 5}), Error);
  const SparseMatrix small = laplacian(4, 4, 4, true), small_M = identity(64);
  EXPECT_THROW(eigenmodes(SparseMatrix(small - 2.0 * small_M), small_M, {.count = 5}), Error);
  SparseMatrix bad = K;
  bad.coeffRef(3, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(eigenmodes(bad, M, {.count = 5}), Error);
}

TEST(Eigenmodes, CanBeCancelled) {
  Progress progress;
  progress.cancel();
  EXPECT_THROW(eigenmodes(laplacian(8, 8, 8, true), identity(512), {.count = 5}, progress),
               Cancelled);
}

}  // namespace
}  // namespace pliant
