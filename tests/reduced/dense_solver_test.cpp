// SPDX-License-Identifier: MIT
#include "pliant/reduced/dense_solver.hpp"

#include <gtest/gtest.h>

#include "reduced/polynomials.hpp"

namespace pliant {
namespace {

MatrixXd random_definite(Index n, unsigned seed) {
  const VectorXd entries = test::random_vector(n * n, 1.0, seed);
  const MatrixXd B = entries.reshaped(n, n);
  return B * B.transpose() + 0.1 * MatrixXd::Identity(n, n);
}

TEST(DenseSolver, SolvesForEverySizeAndLeadingPart) {
  DenseSolver solver(33);
  for (Index n = 1; n <= 33; ++n) {
    const MatrixXd A = random_definite(n, 7);
    ASSERT_TRUE(solver.factor(A)) << n;
    for (Index part = 1; part <= n; part += 3) {
      const VectorXd b = test::random_vector(part, 1.0, 3);
      VectorXd x = b;
      solver.solve(x);
      EXPECT_LT((A.topLeftCorner(part, part) * x - b).norm(), 1e-10 * b.norm()) << n << ' ' << part;
    }
  }
}

TEST(DenseSolver, ReadsTheLowerTriangleOfAPartOfLargerStorage) {
  MatrixXd storage = MatrixXd::Constant(10, 10, NAN);
  const MatrixXd A = random_definite(6, 1);
  storage.topLeftCorner(6, 6).triangularView<Eigen::Lower>() = A;
  DenseSolver solver(10);
  ASSERT_TRUE(solver.factor(storage.topLeftCorner(6, 6)));
  VectorXd x = A * VectorXd::Ones(6);
  solver.solve(x);
  EXPECT_LT((x - VectorXd::Ones(6)).norm(), 1e-10);
}

TEST(DenseSolver, RefusesWhatIsNotPositiveDefinite) {
  DenseSolver solver(6);
  for (Index i = 0; i < 6; ++i) {
    MatrixXd A = MatrixXd::Identity(6, 6);
    A(i, i) = 0.0;
    EXPECT_FALSE(solver.factor(A)) << i;
    A(i, i) = -1.0;
    EXPECT_FALSE(solver.factor(A)) << i;
    A(i, i) = NAN;
    EXPECT_FALSE(solver.factor(A)) << i;
  }
  const VectorXd b = test::random_vector(6, 1.0, 1);
  EXPECT_FALSE(solver.factor(b * b.transpose()));  // singular but for rounding
  EXPECT_TRUE(solver.factor(MatrixXd::Identity(6, 6)));
}

}  // namespace
}  // namespace pliant
