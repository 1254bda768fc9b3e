// SPDX-License-Identifier: MIT
#include "pliant/linalg/cholesky.hpp"

#include <limits>
#include <numeric>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/matrices.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

using test::laplacian;
using test::random_spd;
using test::random_vector;

VectorXi shuffled(int n, Random& random) {
  VectorXi p = VectorXi::LinSpaced(n, 0, n - 1);
  for (int i = n - 1; i > 0; --i) std::swap(p[i], p[random.below(i + 1)]);
  return p;
}

TEST(Cholesky, SolvesLikeADenseFactorisationForEveryOrdering) {
  Random random(1);
  const SparseMatrix A = random_spd(80, 200, random);
  const VectorXd b = random_vector(80, random);
  const VectorXd expected = MatrixXd(A).ldlt().solve(b);
  for (const Ordering ordering :
       {Ordering::automatic, Ordering::amd, Ordering::metis, Ordering::natural, Ordering::given}) {
    const Cholesky solver(A, {.ordering = ordering, .permutation = shuffled(80, random)});
    EXPECT_LT((solver.solve(b) - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(Cholesky, ReadsOnlyTheLowerTriangle) {
  Random random(2);
  const SparseMatrix A = random_spd(50, 120, random);
  const SparseMatrix lower = A.triangularView<Eigen::Lower>();
  const VectorXd b = random_vector(50, random);
  EXPECT_EQ(Cholesky(A).solve(b), Cholesky(lower).solve(b));
}

TEST(Cholesky, KeepsAGivenPermutationWithoutPostorder) {
  Random random(3);
  const SparseMatrix A = random_spd(60, 100, random);
  const VectorXi p = shuffled(60, random);
  const Cholesky exact(A, {.ordering = Ordering::given, .permutation = p, .postorder = false});
  EXPECT_EQ(exact.permutation(), p);
  const Cholesky postordered(A, {.ordering = Ordering::given, .permutation = p});
  require_permutation(postordered.permutation(), 60);
  EXPECT_EQ(postordered.statistics().nnz_L, exact.statistics().nnz_L);
  EXPECT_EQ(postordered.statistics().flops, exact.statistics().flops);
}

// The pattern of L by elimination on a dense boolean matrix, one row at a time.
TEST(Cholesky, CountsTheEntriesOfL) {
  Random random(4);
  const SparseMatrix A = random_spd(60, 90, random);
  const VectorXi p = shuffled(60, random);
  const Cholesky solver(A, {.ordering = Ordering::given, .permutation = p, .postorder = false});
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> L(60, 60);
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j) L(i, j) = A.coeff(p[i], p[j]) != 0.0;
  }
  double flops = 0.0;
  int nnz = 0;
  for (int k = 0; k < 60; ++k) {
    int column = 1;
    for (int i = k + 1; i < 60; ++i) {
      if (!L(i, k)) continue;
      ++column;
      for (int j = k + 1; j < 60; ++j) L(i, j) = L(i, j) || L(j, k);
    }
    nnz += column;
    flops += column * column;
  }
  EXPECT_EQ(solver.statistics().nnz_L, nnz);
  EXPECT_DOUBLE_EQ(solver.statistics().flops, flops);
  EXPECT_EQ(solver.statistics().fill(), nnz - (A.nonZeros() + 60) / 2);
}

TEST(Cholesky, RefactorsNewNumbersInTheSamePattern) {
  Random random(5);
  const SparseMatrix A = laplacian(6, 7, 8, true);
  Cholesky solver(A);
  SparseMatrix B = A;
  for (int i = 0; i < B.rows(); ++i) B.coeffRef(i, i) += random.uniform();
  solver.factor(B);
  const VectorXd x = random_vector(B.rows(), random);
  EXPECT_LT((solver.solve(B * x) - x).norm(), 1e-12 * x.norm());
}

TEST(Cholesky, SolvesManyRightHandSidesAtOnceAndInPlace) {
  Random random(6);
  const SparseMatrix A = laplacian(9, 9, 9, true);
  const Cholesky solver(A);
  MatrixXd X(A.rows(), 53);
  for (Index j = 0; j < X.cols(); ++j) X.col(j) = random_vector(A.rows(), random);
  MatrixXd wide(2 * A.rows(), 53);  // a block of a larger matrix: columns lie apart
  wide.topRows(A.rows()) = A * X;
  wide.bottomRows(A.rows()).setConstant(7.0);
  EXPECT_LT((solver.solve_all(wide.topRows(A.rows())) - X).norm(), 1e-12 * X.norm());
  solver.solve_in_place(wide.topRows(A.rows()));
  EXPECT_LT((wide.topRows(A.rows()) - X).norm(), 1e-12 * X.norm());
  EXPECT_EQ(wide.bottomRows(A.rows()).minCoeff(), 7.0);
  EXPECT_EQ(wide.bottomRows(A.rows()).maxCoeff(), 7.0);
}

TEST(Cholesky, AWorkspaceIsReusedAndTheSolutionMayOverwriteTheLoad) {
  Random random(7);
  const SparseMatrix A = laplacian(8, 8, 3, true);
  const Cholesky solver(A);
  Cholesky::Workspace workspace;
  for (int trial = 0; trial < 3; ++trial) {
    const VectorXd b = random_vector(A.rows(), random);
    VectorXd x = b;
    solver.solve(x, x, workspace);
    EXPECT_EQ(x, solver.solve(b));
  }
}

TEST(Cholesky, GivesTheSameBitsForAnyNumberOfThreads) {
  Random random(8);
  const SparseMatrix A = laplacian(14, 14, 14, true);
  MatrixXd B(A.rows(), 40);
  for (Index j = 0; j < B.cols(); ++j) B.col(j) = random_vector(A.rows(), random);
  const auto solve = [&](int n) {
    set_threads(n);
    MatrixXd X = Cholesky(A).solve_all(B);
    set_threads(0);
    return X;
  };
  const MatrixXd one = solve(1);
  EXPECT_EQ(one, solve(2));
  EXPECT_EQ(one, solve(3));
}

TEST(Cholesky, UpdatesAndDowndatesByLowRank) {
  Random random(9);
  const SparseMatrix A = laplacian(5, 6, 7, true);
  const Index n = A.rows();
  std::vector<Triplet> triplets;  // columns couple unknowns that A does not
  for (int k = 0; k < 11; ++k) {
    for (int e = 0; e < 4; ++e) {
      triplets.emplace_back(random.below(static_cast<int>(n)), k, random.normal());
    }
  }
  const SparseMatrix C = test::from_triplets(n, 11, triplets);
  Cholesky solver(A);
  const VectorXd b = random_vector(n, random), before = solver.solve(b);
  solver.update(C);
  const MatrixXd updated = MatrixXd(A) + MatrixXd(C) * MatrixXd(C).transpose();
  const VectorXd expected = updated.ldlt().solve(b);
  EXPECT_LT((solver.solve(b) - expected).norm(), 1e-11 * expected.norm());
  Cholesky::Workspace workspace;
  VectorXd x(n);
  solver.solve(b, x, workspace);
  EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm());
  solver.downdate(C);
  EXPECT_LT((solver.solve(b) - before).norm(), 1e-11 * before.norm());
  solver.update(C);
  solver.factor(A);  // starts from the numbers given
  EXPECT_LT((solver.solve(b) - before).norm(), 1e-12 * before.norm());
}

TEST(Cholesky, RefusesADowndateThatTakesTooMuch) {
  const SparseMatrix A = laplacian(4, 4, 4, true);
  Cholesky solver(A);
  const SparseMatrix C = test::from_triplets(64, 1, {{5, 0, 10.0}});
  EXPECT_THROW(solver.downdate(C), Error);
  EXPECT_FALSE(solver.factored());
  solver.factor(A);
  EXPECT_TRUE(solver.factored());
}

TEST(Cholesky, NamesTheRowWhereAMatrixIsNotPositiveDefinite) {
  SparseMatrix A = laplacian(4, 5, 6, true);
  Cholesky solver(A);
  A.coeffRef(33, 33) = -1.0;
  EXPECT_GE(solver.try_factor(A), 0);
  EXPECT_FALSE(solver.factored());
  try {
    solver.factor(A);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("not fixed"));
    EXPECT_THAT(error.place().item, testing::HasSubstr("row "));
  }
  // Diagonal: the row is known exactly.
  const SparseMatrix D = test::from_triplets(3, 3, {{0, 0, 1.0}, {1, 1, -2.0}, {2, 2, 1.0}});
  solver.analyse(D);
  EXPECT_EQ(solver.try_factor(D), 1);
}

TEST(Cholesky, SeesThatAFreeBodyIsSingular) {
  for (const int n : {3, 10, 20}) {
    EXPECT_THROW(Cholesky(laplacian(n, n, n, false)), Error) << n;
  }
}

TEST(Cholesky, AcceptsABadlyScaledButSoundMatrix) {
  const Index n = 6 * 6 * 6;
  const VectorXd s = VectorXd::NullaryExpr(n, [](Index i) {
    return i % 3 == 0 ? 1e8 : i % 3 == 1 ? 1.0 : 1e-7;
  });
  const SparseMatrix K = laplacian(6, 6, 6, true);
  const SparseMatrix A = s.asDiagonal() * K * s.asDiagonal();
  const VectorXd x = VectorXd::Ones(n);
  const VectorXd y = Cholesky(A).solve(s.cwiseProduct(K * x));  // A y = S K x, y = S⁻¹ x
  EXPECT_LT((s.cwiseProduct(y) - x).lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(Cholesky, RefusesBadInput) {
  SparseMatrix A = laplacian(3, 3, 3, true);
  EXPECT_THROW(Cholesky(A, {.ordering = Ordering::given}), Error);
  EXPECT_THROW(Cholesky(A, {.ordering = Ordering::given, .permutation = VectorXi::Zero(27)}),
               Error);
  VectorXi p = VectorXi::LinSpaced(27, 0, 26);
  p[3] = 27;
  EXPECT_THROW(Cholesky(A, {.ordering = Ordering::given, .permutation = p}), Error);
  A.coeffRef(4, 4) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Cholesky{A}, Error);
}

TEST(Cholesky, AnEmptySystemHasAnEmptySolution) {
  const Cholesky solver((SparseMatrix(0, 0)));
  EXPECT_EQ(solver.solve(VectorXd(0)).size(), 0);
}

TEST(Permutation, ExpandsNodesToUnknowns) {
  const VectorXi p = (VectorXi(3) << 2, 0, 1).finished();
  EXPECT_EQ(expand_permutation(p, 3), (VectorXi(9) << 6, 7, 8, 0, 1, 2, 3, 4, 5).finished());
}

}  // namespace
}  // namespace pliant
