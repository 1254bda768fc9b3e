// SPDX-License-Identifier: MIT
#include "pliant/shape/displacement_bounds.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

struct Subject {
  explicit Subject(Index points = 60, Index r = 9) {
    Random random(1);
    Matrix3Xd X(3, points);
    MatrixXd U(3 * points, r);
    for (double& x : X.reshaped()) x = random.uniform(-1, 1);
    for (double& x : U.reshaped()) x = random.normal() * random.uniform();
    shape.emplace(X, U);
  }
  double displacement(int s, int o, const VectorXf& c) const {
    Matrix3Xd D = shape->basis(s).cast<double>().leftCols(c.size());
    if (o >= 0) D -= shape->basis(o).cast<double>().leftCols(c.size());
    return (D * c.cast<double>()).norm();
  }
  std::optional<LinearShape> shape;
};

TEST(DisplacementBounds, HoldForEveryPointOfTheSet) {
  const Subject subject;
  std::vector<int> points, first{0}, centres;
  Random random(2);
  for (int k = 0; k < 30; ++k) {  // from single points to larger sets
    for (int n = 0; n <= k / 3; ++n) points.push_back(random.below(60));
    first.push_back(static_cast<int>(points.size()));
    centres.push_back(random.below(60));
  }
  const DisplacementBounds plain(*subject.shape, points, first);
  const DisplacementBounds centred(*subject.shape, points, first, centres);
  ASSERT_EQ(plain.set_count(), 30);
  double tightest = 2;
  for (int trial = 0; trial < 300; ++trial) {
    VectorXf c(trial % 3 == 0 ? 4 : 9);
    const double scale = std::pow(10, random.uniform(-6, 6));
    for (float& x : c) x = static_cast<float>(scale * random.normal());
    if (trial % 4 == 0) c.tail(c.size() - 1).setZero();  // where the bounds are sharp
    for (int k = 0; k < 30; ++k) {
      const float bound = plain(k, c), relative = centred(k, c);
      double largest = 0;
      for (int at = first[static_cast<std::size_t>(k)]; at < first[static_cast<std::size_t>(k) + 1];
           ++at) {
        const int s = points[static_cast<std::size_t>(at)];
        largest = std::max(largest, subject.displacement(s, -1, c));
        EXPECT_LE(subject.displacement(s, centres[static_cast<std::size_t>(k)], c), relative);
      }
      EXPECT_LE(largest, bound);
      tightest = std::min(tightest, bound / largest);
    }
  }
  EXPECT_LT(tightest, 1.0001);
}

TEST(DisplacementBounds, OfACentreAloneAreZeroAndOfBadNumbersInfinite) {
  const Subject subject;
  const std::vector<int> points{7}, first{0, 1};
  const DisplacementBounds centred(*subject.shape, points, first, points);
  const DisplacementBounds plain(*subject.shape, points, first);
  EXPECT_EQ(centred(0, VectorXf::Ones(9)), 0.0F);
  EXPECT_EQ(plain(0, VectorXf()), 0.0F);
  VectorXf c = VectorXf::Ones(9);
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    c[3] = bad;
    EXPECT_EQ(plain(0, c), INFINITY);
  }
  const VectorXf tiny = VectorXf::Constant(9, 1e-30F), huge = VectorXf::Constant(9, 1e30F);
  EXPECT_GE(plain(0, tiny), subject.displacement(7, -1, tiny));
  EXPECT_GE(plain(0, huge), subject.displacement(7, -1, huge));
  EXPECT_LT(plain(0, huge), INFINITY);
}

TEST(DisplacementBounds, AllocateNothingOnline) {
  const Subject subject;
  const std::vector<int> points{7, 8, 9}, first{0, 1, 3};
  const DisplacementBounds bounds(*subject.shape, points, first);
  const VectorXf c = VectorXf::Ones(9);
  const test::AllocationCounter counter;
  EXPECT_GT(bounds(1, c), 0.0F);
  EXPECT_EQ(counter.count(), 0);
}

TEST(DisplacementBounds, RefuseSetsThatAreNone) {
  const Subject subject;
  using List = std::vector<int>;
  const auto make = [&](const List& points, const List& first, const List& centres = {}) {
    DisplacementBounds(*subject.shape, points, first, centres);
  };
  EXPECT_NO_THROW(make({1, 2}, {0, 0, 2}, {5, 6}));
  EXPECT_THROW(make({1, 2}, {}), Error);
  EXPECT_THROW(make({1, 2}, {0, 1}), Error);
  EXPECT_THROW(make({1, 2}, {0, 2, 1, 2}), Error);
  EXPECT_THROW(make({1, 60}, {0, 2}), Error);
  EXPECT_THROW(make({1, -1}, {0, 2}), Error);
  EXPECT_THROW(make({1, 2}, {0, 2}, {1, 2}), Error);
  EXPECT_THROW(make({1, 2}, {0, 2}, {60}), Error);
}

}  // namespace
}  // namespace pliant
