// SPDX-License-Identifier: MIT
#include "pliant/linalg/dense_lu.hpp"

#include <gmock/gmock.h>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

MatrixXd random_matrix(Index rows, Index columns) {
  Random random(5);
  MatrixXd A(rows, columns);
  for (double& x : A.reshaped()) x = random.uniform(-1, 1);
  return A;
}

TEST(DenseLu, SolvesWhateverItsSize) {
  for (const Index n : {1, 5, 96, 97, 300}) {
    const MatrixXd A = random_matrix(n, n), X = random_matrix(n, 130);
    MatrixXd B = A * X;
    DenseLu(A).solve_in_place(B);
    EXPECT_LT((B - X).norm(), 1e-9 * X.norm()) << n;
  }
}

TEST(DenseLu, ExchangesRows) {
  MatrixXd A(2, 2), b(2, 1);
  A << 0, 2, 3, 1;
  b << 4, 5;
  DenseLu(A).solve_in_place(b);
  EXPECT_NEAR(b(0, 0), 1, 1e-15);
  EXPECT_NEAR(b(1, 0), 2, 1e-15);
}

TEST(DenseLu, GivesTheSameBitsForAnyNumberOfThreads) {
  const MatrixXd A = random_matrix(400, 400);
  MatrixXd one = random_matrix(400, 200), two = one;
  set_threads(1);
  DenseLu(A).solve_in_place(one);
  set_threads(0);
  DenseLu(A).solve_in_place(two);
  EXPECT_EQ(one, two);
}

TEST(DenseLu, RefusesASingularMatrix) {
  MatrixXd A = random_matrix(120, 120);
  A.col(110) = A.col(3);
  expect_error([&] { DenseLu lu(A); }, "120 rows is singular: row 110");
}

}  // namespace
}  // namespace pliant::test
