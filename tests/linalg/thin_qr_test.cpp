// SPDX-License-Identifier: MIT
#include "pliant/linalg/thin_qr.hpp"

#include <gtest/gtest.h>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"

namespace pliant {
namespace {

MatrixXd random_matrix(Index rows, Index cols) {
  Random random(5);
  return MatrixXd::NullaryExpr(rows, cols, [&] { return random.normal(); });
}

TEST(ThinQr, FactorsMatricesOfAnyShape) {
  for (const auto& [n, N] : {std::pair<Index, Index>{5000, 7},
                             {1024, 3},
                             {1025, 3},
                             {4000, 500},
                             {2047, 1},
                             {3, 8},
                             {8, 8}}) {
    const MatrixXd A = random_matrix(n, N);
    const ThinQr qr = thin_qr(A);
    const Index p = std::min(n, N);
    ASSERT_EQ(qr.Q.rows(), n);
    ASSERT_EQ(qr.Q.cols(), p);
    EXPECT_LT((qr.Q * qr.R - A).norm(), 1e-13 * A.norm()) << n << ' ' << N;
    EXPECT_LT((qr.Q.transpose() * qr.Q - MatrixXd::Identity(p, p)).norm(), 1e-12);
    EXPECT_EQ(MatrixXd(qr.R.triangularView<Eigen::StrictlyLower>()).norm(), 0.0);
  }
}

TEST(ThinQr, StaysOrthonormalWhereTheColumnsDependOnEachOther) {
  MatrixXd A = random_matrix(3000, 6);
  A.col(3) = A.col(0);
  A.col(4).setZero();
  A.col(5) = A.col(1) + 1e-14 * A.col(2);
  const ThinQr qr = thin_qr(A);
  EXPECT_LT((qr.Q * qr.R - A).norm(), 1e-13 * A.norm());
  EXPECT_LT((qr.Q.transpose() * qr.Q - MatrixXd::Identity(6, 6)).norm(), 1e-13);
}

TEST(ThinQr, IsTheSameBitsForAnyNumberOfThreads) {
  const MatrixXd A = random_matrix(9000, 20);
  set_threads(1);
  const MatrixXd one = thin_qr(A).Q;
  set_threads(2);
  const MatrixXd two = thin_qr(A).Q;
  set_threads(0);
  EXPECT_TRUE(one == two);
}

}  // namespace
}  // namespace pliant
