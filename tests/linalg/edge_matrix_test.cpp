// SPDX-License-Identifier: MIT
#include "pliant/linalg/edge_matrix.hpp"

#include <gtest/gtest.h>

#include "pliant/linalg/pcg.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

// A chain of nodes whose blocks are full, and one that is joined to the first.
SparseMatrix chain(Index nodes) {
  MatrixXd A = MatrixXd::Zero(3 * nodes, 3 * nodes);
  for (Index i = 0; i < nodes; ++i) {
    const Index other = i + 1 < nodes ? i + 1 : 0;
    const Matrix3d B = 0.3 * Matrix3d::Random();
    A.block<3, 3>(3 * i, 3 * other) += B;
    A.block<3, 3>(3 * other, 3 * i) += B.transpose();
    A.block<3, 3>(3 * i, 3 * i) += 4 * Matrix3d::Identity() + Matrix3d::Constant(0.2);
  }
  return A.sparseView();
}

TEST(EdgeMatrix, MultipliesAsTheMatrixDoes) {
  const SparseMatrix A = chain(9);
  const SparseMatrix lower = A.triangularView<Eigen::Lower>();
  const VectorXd x = VectorXd::Random(27);
  VectorXd y(27);
  for (const SparseMatrix* given : {&A, &lower}) {
    const EdgeMatrix edges(*given);
    EXPECT_EQ(edges.edges(), 9U);
    EXPECT_EQ(edges.rows(), 27);
    edges.multiply(x, y);
    EXPECT_LT((y - A * x).norm(), 1e-13 * y.norm());
  }
}

TEST(EdgeMatrix, ServesConjugateGradients) {
  const SparseMatrix A = chain(20);
  const EdgeMatrix edges(A);
  const VectorXd b = VectorXd::Random(60);
  VectorXd x = VectorXd::Zero(60);
  EXPECT_TRUE(pcg(edges.product(), edges.block_jacobi(), b, x, {.tolerance = 1e-11}).converged);
  EXPECT_LT((A * x - b).norm(), 1e-10 * b.norm());
}

TEST(EdgeMatrix, RefusesWhatIsNotOfNodes) {
  expect_error([] { EdgeMatrix(SparseMatrix(4, 4)); }, "three numbers");
  expect_error([] { EdgeMatrix(SparseMatrix(3, 3)).block_jacobi(); }, "not positive");
}

}  // namespace
}  // namespace pliant::test
