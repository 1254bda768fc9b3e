// SPDX-License-Identifier: MIT
#include "pliant/linalg/nnls.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"

namespace pliant {
namespace {

MatrixXd random_matrix(Index rows, Index cols, double low, std::uint64_t seed) {
  Random random(seed);
  MatrixXd A(rows, cols);
  for (double& x : A.reshaped()) x = random.uniform(low, 1);
  return A;
}

// The conditions of Karush, Kuhn and Tucker, which the solution and no other point fulfils.
void expect_optimal(const MatrixXd& A, const VectorXd& b, const VectorXd& x) {
  const VectorXd g = A.transpose() * (b - A * x);
  const double scale = (A.transpose() * b).cwiseAbs().maxCoeff();
  EXPECT_GE(x.minCoeff(), 0.0);
  EXPECT_LE(g.maxCoeff(), 1e-9 * scale);
  EXPECT_LE(x.cwiseProduct(g).cwiseAbs().maxCoeff(), 1e-9 * scale * x.cwiseAbs().maxCoeff());
}

TEST(NonnegativeLeastSquares, FulfilsTheConditionsOfOptimality) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MatrixXd A = random_matrix(40, 5 + static_cast<Index>(seed) * 3, -1, seed);
    const VectorXd b = random_matrix(40, 1, -1, 100 + seed);
    const VectorXd x = nonnegative_least_squares(A.transpose() * A, A.transpose() * b);
    expect_optimal(A, b, x);
    EXPECT_GT((x.array() > 0).count(), 0);
    EXPECT_GT((x.array() == 0).count(), 0);
  }
}

TEST(NonnegativeLeastSquares, FindsThePositiveSolutionOfAConsistentSystem) {
  const MatrixXd A = random_matrix(50, 20, -0.2, 1);
  const VectorXd wanted = random_matrix(20, 1, 0.1, 2);
  const VectorXd x = nonnegative_least_squares(A.transpose() * A, A.transpose() * (A * wanted));
  EXPECT_LT((x - wanted).norm(), 1e-8 * wanted.norm());
}

TEST(NonnegativeLeastSquares, EndsAtTheSamePointFromAnyStart) {
  const MatrixXd A = random_matrix(40, 25, -1, 3);
  const VectorXd b = random_matrix(40, 1, -1, 4);
  const MatrixXd N = A.transpose() * A;
  const VectorXd y = A.transpose() * b, x = nonnegative_least_squares(N, y);
  for (std::uint64_t seed = 5; seed < 10; ++seed) {
    const VectorXd start = random_matrix(25, 1, -1, seed).cwiseMax(0);
    EXPECT_LT((nonnegative_least_squares(N, y, start) - x).norm(), 1e-9 * x.norm());
  }
}

TEST(NonnegativeLeastSquares, CopesWithDependentAndEmptyColumns) {
  MatrixXd A = random_matrix(30, 12, -0.5, 11);
  A.col(3) = A.col(2);
  A.col(7) = A.col(5) + A.col(6);
  A.col(9).setZero();
  const VectorXd b = A * VectorXd::Ones(12);
  const VectorXd x = nonnegative_least_squares(A.transpose() * A, A.transpose() * b);
  EXPECT_GE(x.minCoeff(), 0.0);
  EXPECT_EQ(x[9], 0.0);
  EXPECT_LT((A * x - b).norm(), 1e-5 * b.norm());
  EXPECT_EQ(nonnegative_least_squares(MatrixXd::Identity(2, 2), Eigen::Vector2d(-1, -2)),
            VectorXd::Zero(2));
  EXPECT_EQ(nonnegative_least_squares(MatrixXd(0, 0), VectorXd(0)).size(), 0);
}

TEST(NonnegativeLeastSquares, RefusesWhatIsNoProblem) {
  EXPECT_THROW(nonnegative_least_squares(MatrixXd::Zero(2, 3), VectorXd::Zero(2)), Error);
  EXPECT_THROW(nonnegative_least_squares(MatrixXd::Zero(2, 2), VectorXd::Zero(3)), Error);
  EXPECT_THROW(
      nonnegative_least_squares(MatrixXd::Zero(2, 2), VectorXd::Zero(2), VectorXd::Zero(1)), Error);
  EXPECT_THROW(nonnegative_least_squares(MatrixXd::Constant(2, 2, NAN), VectorXd::Zero(2)), Error);
}

}  // namespace
}  // namespace pliant
