// SPDX-License-Identifier: MIT
// PCG and MINRES.
#include <limits>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "linalg/elastic_grid.hpp"
#include "linalg/matrices.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/linalg/minres.hpp"
#include "pliant/linalg/pcg.hpp"
#include "pliant/linalg/rigid_modes.hpp"

namespace pliant {
namespace {

using test::elastic_grid;
using test::laplacian;
using test::random_vector;

TEST(Pcg, SolvesLikeCholeskyWithEachPreconditioner) {
  const test::ElasticGrid grid = elastic_grid(7, 5, 4, 0.1, true);
  Random random(1);
  const VectorXd b = random_vector(grid.K.rows(), random);
  const VectorXd expected = Cholesky(grid.K).solve(b);
  VectorXd x = VectorXd::Zero(b.size());
  const IterativeResult incomplete = pcg(grid.K, b, x, {.tolerance = 1e-12});
  EXPECT_TRUE(incomplete.converged);
  EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm());
  x.setZero();
  const IterativeResult diagonal =
      pcg(symmetric_product(grid.K), jacobi(grid.K.diagonal()), b, x, {.tolerance = 1e-12});
  EXPECT_TRUE(diagonal.converged);
  EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm());
  EXPECT_LT(incomplete.iterations, diagonal.iterations / 2);
}

TEST(Pcg, StartsFromTheGuess) {
  const SparseMatrix A = laplacian(6, 6, 6, true);
  Random random(2);
  const VectorXd b = random_vector(A.rows(), random);
  VectorXd x = Cholesky(A).solve(b);
  EXPECT_EQ(pcg(A, b, x).iterations, 0);
}

TEST(Pcg, WorksWithoutAMatrix) {
  const int n = 50;  // tridiagonal 2, -1, by a function
  const LinearOperator A = [](const VectorXd& x, VectorXd& y) {
    y = 2.0 * x;
    y.head(n - 1) -= x.tail(n - 1);
    y.tail(n - 1) -= x.head(n - 1);
  };
  VectorXd x = VectorXd::Zero(n);
  EXPECT_TRUE(pcg(A, jacobi(VectorXd::Constant(n, 2.0)), VectorXd::Ones(n), x).converged);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], 0.5 * (i + 1) * (n - i), 1e-5);
}

TEST(Pcg, ReportsAnIndefiniteMatrixAndAShortBudget) {
  SparseMatrix A = laplacian(5, 5, 5, true);
  VectorXd x = VectorXd::Zero(125);
  const IterativeResult few = pcg(A, VectorXd::Ones(125), x, {.max_iterations = 1});
  EXPECT_FALSE(few.converged);
  EXPECT_GT(few.residual, 1e-8);
  for (int i = 0; i < 125; ++i) A.coeffRef(i, i) -= 3.0;
  x.setZero();
  const IterativeResult bad =
      pcg(symmetric_product(A), jacobi(A.diagonal()), VectorXd::Ones(125), x);
  EXPECT_TRUE(bad.indefinite);
  EXPECT_FALSE(bad.converged);
}

TEST(Pcg, RefusesNumbersThatAreNone) {
  SparseMatrix A = laplacian(3, 3, 3, true);
  VectorXd x = VectorXd::Zero(27);
  VectorXd b = VectorXd::Ones(27);
  b[4] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(pcg(A, b, x), Error);
  EXPECT_THROW(jacobi(VectorXd::Zero(3)), Error);
  A.coeffRef(2, 2) = -1.0;
  EXPECT_THROW(incomplete_cholesky(A), Error);
}

TEST(Pcg, GivesTheSameBitsForAnyNumberOfThreads) {
  const SparseMatrix A = laplacian(20, 20, 20, true);
  const auto solve = [&](int n) {
    set_threads(n);
    VectorXd x = VectorXd::Zero(A.rows());
    pcg(A, VectorXd::Ones(A.rows()), x);
    set_threads(0);
    return x;
  };
  EXPECT_EQ(solve(1), solve(2));
}

TEST(Minres, SolvesAnIndefiniteSystem) {
  SparseMatrix A = laplacian(6, 5, 4, true);
  for (int i = 0; i < A.rows(); ++i) A.coeffRef(i, i) -= 2.7;
  Random random(3);
  const VectorXd b = random_vector(A.rows(), random);
  const VectorXd expected = MatrixXd(A).partialPivLu().solve(b);
  VectorXd x;
  const IterativeResult result = minres(A, b, x, {.tolerance = 1e-12});
  EXPECT_TRUE(result.converged);
  EXPECT_LT((x - expected).norm(), 1e-8 * expected.norm());
}

TEST(Minres, SolvesAFreeBodyUnderABalancedLoad) {
  const test::ElasticGrid grid = elastic_grid(5, 4, 4, 0.1, false);
  const MatrixXd N = rigid_modes(grid.X);
  ASSERT_LT((grid.K * N).norm(), 1e-9 * grid.K.norm());
  Random random(4);
  const VectorXd b = grid.K * random_vector(grid.K.rows(), random);  // in the range of K
  VectorXd x;
  const IterativeResult result = minres(grid.K, b, x, {.tolerance = 1e-11, .null_space = N});
  EXPECT_TRUE(result.converged);
  // The least-norm solution, by the pseudo-inverse.
  const VectorXd expected = MatrixXd(grid.K).completeOrthogonalDecomposition().solve(b);
  EXPECT_LT((x - expected).norm(), 1e-7 * expected.norm());
  EXPECT_LT((N.transpose() * x).norm(), 1e-10 * x.norm());
}

TEST(Minres, RefusesAnUnbalancedLoadUnlessToldToProject) {
  const test::ElasticGrid grid = elastic_grid(4, 3, 3, 0.1, false);
  const MatrixXd N = rigid_modes(grid.X);
  VectorXd b = VectorXd::Zero(grid.K.rows());
  b[0] = 1.0;
  VectorXd x;
  EXPECT_THROW(minres(grid.K, b, x, {.null_space = N}), Error);
  const IterativeResult result =
      minres(grid.K, b, x, {.null_space = N, .balance = std::numeric_limits<double>::infinity()});
  EXPECT_TRUE(result.converged);
  const MatrixXd Q = N.householderQr().householderQ() * MatrixXd::Identity(N.rows(), 6);
  EXPECT_LT((grid.K * x - (b - Q * (Q.transpose() * b))).norm(), 1e-7);
}

TEST(Minres, RefusesADependentNullSpace) {
  const test::ElasticGrid grid = elastic_grid(3, 3, 3, 0.1, false);
  MatrixXd N = rigid_modes(grid.X);
  N.col(5) = N.col(0);
  VectorXd x;
  EXPECT_THROW(minres(grid.K, VectorXd::Unit(81, 0), x, {.null_space = N}), Error);
}

TEST(Pcg, EndsWhenItIsStopped) {
  const SparseMatrix A = laplacian(20, 20, 1, true);
  const VectorXd b = VectorXd::Ones(A.rows());
  VectorXd x = VectorXd::Zero(A.rows());
  std::stop_source stop;
  stop.request_stop();
  const IterativeResult result = pcg(A, b, x, {.stop = stop.get_token()});
  EXPECT_EQ(result.iterations, 0);
  EXPECT_FALSE(result.converged);
}

}  // namespace
}  // namespace pliant
