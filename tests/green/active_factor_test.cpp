// SPDX-License-Identifier: MIT
#include "pliant/green/active_factor.hpp"

#include <vector>

#include <gmock/gmock.h>

#include "pliant/base/random.hpp"
#include "support/allocation_counter.hpp"

namespace pliant::test {
namespace {

constexpr Index all = 40;

// Symmetric, positive, and far from diagonal, as compliances of near nodes are.
MatrixXd compliance() {
  Random random(5);
  Matrix3Xd X(3, all);
  for (double& x : X.reshaped()) x = random.uniform(0, 1);
  MatrixXd A(all, all);
  for (Index i = 0; i < all; ++i) {
    for (Index j = 0; j < all; ++j) A(i, j) = std::exp(-(X.col(i) - X.col(j)).norm());
  }
  return A;
}

template <class Factor>
void follow_exchanges() {
  const MatrixXd A = compliance();
  Random random(6);
  Factor factor(all);
  std::vector<Index> in;
  VectorXd column(all), b(all);
  for (int step = 0; step < 400; ++step) {
    const auto pick = static_cast<Index>(random.uniform(0, 1) * all) % all;
    const auto at = std::find(in.begin(), in.end(), pick);
    if (at != in.end()) {
      factor.leave(at - in.begin());
      in.erase(at);
    } else {
      for (std::size_t k = 0; k < in.size(); ++k) column[static_cast<Index>(k)] = A(in[k], pick);
      ASSERT_TRUE(factor.enter(column.data(), A(pick, pick)));
      in.push_back(pick);
    }
    ASSERT_EQ(factor.size(), std::ssize(in));
    for (double& x : b) x = random.uniform(-1, 1);
    const VectorXd wanted = b.head(std::ssize(in));
    factor.solve(b);
    const VectorXd back = A(in, in) * b.head(std::ssize(in));
    ASSERT_LT((back - wanted).norm(), 1e-9 * (1 + wanted.norm())) << step;
  }
}

TEST(ActiveFactor, CholeskyFollowsExchanges) {
  follow_exchanges<ActiveCholesky>();
}
TEST(ActiveFactor, TheInverseFollowsExchanges) {
  follow_exchanges<ActiveInverse>();
}

TEST(ActiveFactor, RefusesWhatIsNotPositiveAndStaysAsItWas) {
  ActiveCholesky factor(4);
  ActiveInverse inverse(4);
  const double none[] = {0.0}, twice[] = {2.0};
  ASSERT_TRUE(factor.enter(none, 1) && inverse.enter(none, 1));
  EXPECT_FALSE(factor.enter(twice, 1));
  EXPECT_FALSE(inverse.enter(twice, 1));
  VectorXd b = VectorXd::Constant(4, 3), c = b;
  factor.solve(b);
  inverse.solve(c);
  EXPECT_EQ(b[0], 3);
  EXPECT_EQ(c[0], 3);
}

TEST(ActiveFactor, AllocatesNothing) {
  const MatrixXd A = compliance();
  ActiveCholesky factor(all);
  ActiveInverse inverse(all);
  VectorXd column(all), b = VectorXd::Ones(all);
  const AllocationCounter counter;
  for (Index i = 0; i < all; ++i) {
    column = A.col(i);
    ASSERT_TRUE(factor.enter(column.data(), A(i, i)));
    ASSERT_TRUE(inverse.enter(column.data(), A(i, i)));
  }
  factor.solve(b);
  inverse.solve(b);
  factor.leave(3);
  inverse.leave(3);
  if (AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
}

}  // namespace
}  // namespace pliant::test
