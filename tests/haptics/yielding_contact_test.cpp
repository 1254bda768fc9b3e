// SPDX-License-Identifier: MIT
#include "pliant/haptics/yielding_contact.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

constexpr Index r = 20;

struct Problem {
  explicit Problem(std::uint64_t seed) : random(seed), yielding(r), at_rate(r) {
    const auto number = [&] { return random.normal(); };
    const MatrixXd B = MatrixXd::NullaryExpr(r, r, number);
    yielding.A = B * B.transpose() + 3 * MatrixXd::Identity(r, r);
    yielding.b = VectorXd::NullaryExpr(r, number);
    yielding.C.setZero();
    at_rate = VectorXd::NullaryExpr(r, number);
    object_at_rate = Vector6d::NullaryExpr(number);
    contact.wrench = Vector6d::NullaryExpr(number);
    for (int n = 0; n < 5; ++n) {
      const Vector6d j = Vector6d::NullaryExpr(number);
      const VectorXd u = VectorXd::NullaryExpr(r, number);
      const double k = random.uniform(0.5, 2);
      contact.gradient -= k * j * j.transpose();
      yielding.A += k * u * u.transpose();
      yielding.add(j, u, k);
    }
  }

  Random random;
  YieldingContact yielding;
  VectorXd at_rate;
  Vector6d object_at_rate;
  HeldContact contact;
};

// The system of 6 + r unknowns, solved as a whole.
TEST(YieldingContact, IsTheWholeSystemWithTheBodyEliminated) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Problem p(seed);
    const Matrix6d spring = 2 * Matrix6d::Identity();  // of the hand
    MatrixXd whole(6 + r, 6 + r);
    const MatrixXd C = p.yielding.C;
    whole << spring - p.contact.gradient, -C, -C.transpose(), p.yielding.A;
    VectorXd right(6 + r);
    right << p.contact.wrench,
        p.yielding.b - p.yielding.A * p.at_rate - C.transpose() * p.object_at_rate;
    const VectorXd solved = whole.partialPivLu().solve(right);

    ASSERT_TRUE(p.yielding.eliminate(p.at_rate, p.object_at_rate, p.contact));
    const Vector6d z = (spring - p.contact.gradient).partialPivLu().solve(p.contact.wrench);
    EXPECT_LT((z - solved.head<6>()).norm(), 1e-10 * solved.norm()) << seed;
    // And the body's own step, under the load that this adds, goes where the whole system says.
    const VectorXd dc = p.yielding.A.partialPivLu().solve(
        VectorXd(p.yielding.b + C.transpose() * (z - p.object_at_rate)));
    EXPECT_LT((dc - p.at_rate - solved.tail(r)).norm(), 1e-10 * solved.norm()) << seed;
  }
}

// A contact with what yields is softer than one with what does not, and never pulls.
TEST(YieldingContact, IsSofterAndStillAContact) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Problem p(seed);
    const Matrix6d stiff = -p.contact.gradient;
    ASSERT_TRUE(p.yielding.eliminate(p.at_rate, p.object_at_rate, p.contact));
    const Matrix6d soft = -p.contact.gradient;
    const Eigen::SelfAdjointEigenSolver<Matrix6d> own(soft), difference(stiff - soft);
    EXPECT_GT(own.eigenvalues()[0], -1e-9) << seed;
    EXPECT_GT(difference.eigenvalues()[0], -1e-9) << seed;
  }
}

TEST(YieldingContact, AllocatesNothingAndLeavesWhatCannotBeSolved) {
  Problem p(3);
  const test::AllocationCounter counter;
  EXPECT_TRUE(p.yielding.eliminate(p.at_rate, p.object_at_rate, p.contact));
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  p.yielding.A *= -1;
  const HeldContact before = p.contact;
  EXPECT_FALSE(p.yielding.eliminate(p.at_rate, p.object_at_rate, p.contact));
  EXPECT_EQ(before.wrench, p.contact.wrench);
  EXPECT_EQ(before.gradient, p.contact.gradient);
}

}  // namespace
}  // namespace pliant
