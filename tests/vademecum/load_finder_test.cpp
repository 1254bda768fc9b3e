// SPDX-License-Identifier: MIT
#include "pliant/vademecum/load_finder.hpp"

#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "pliant/vademecum/bake/pgd.hpp"
#include "support/allocation_counter.hpp"
#include "vademecum/vademecum_bodies.hpp"

namespace pliant::test {
namespace {

// A beam with enough shapes that places can be told apart.
struct Touched {
  explicit Touched(const Vector3i& n) : beam(n) {
    loads = beam.loads(1e6, 1, Matrix3d::Identity());
    const MatrixXd X = pgd(beam.K, beam.solver, loads, {.tolerance = 0, .max_terms = 30}).X;
    touch.resize(X.cols(), 3 * loads.node_count());
    for (Index s = 0; s < loads.node_count(); ++s) {
      touch.middleCols<3>(3 * s) =
          X.middleRows<3>(loads.places[static_cast<std::size_t>(s)]).transpose();
    }
  }
  Beam beam;
  LoadSpace loads;
  MatrixXd touch;  // r by 3 #s
};
const Touched& touched() {
  static const Touched t({2, 2, 8});
  return t;
}

TEST(LoadFinder, FindsEveryNodeAndItsForceAgain) {
  const Touched& t = touched();
  for (const bool linear : {false, true}) {
    const LoadFinder finder(t.touch, t.loads.triangles, linear);
    for (Index s = 0; s < finder.node_count(); ++s) {
      const Vector3d F(3, -2, 1);
      VectorXd Q = t.touch.middleCols<3>(3 * s) * F;
      const AllocationCounter counter;
      const FoundLoad found = finder.find(Q);
      finder.subtract(found, Q);
      EXPECT_EQ(counter.count(), 0);
      ASSERT_GE(found.count, 1);
      if (!linear) {
        EXPECT_EQ(found.nodes[0], s);
      }
      EXPECT_LT((found.force - F).norm(), 1e-2 * F.norm()) << s;
      EXPECT_LT(Q.norm(), 1e-3 * (t.touch.middleCols<3>(3 * s) * F).norm()) << s;
    }
  }
}

TEST(LoadFinder, FindsPlacesBetweenNodesIfItMay) {
  const Touched& t = touched();
  const LoadFinder nearest(t.touch, t.loads.triangles, false);
  const LoadFinder linear(t.touch, t.loads.triangles, true);
  Random random(4);
  double left_nearest = 0, left_linear = 0;
  for (int i = 0; i < 40; ++i) {
    const Index triangle = random.below(static_cast<int>(t.loads.triangles.cols()));
    Vector3d l(random.uniform(), random.uniform(), random.uniform());
    l /= l.sum();
    const Vector3d F(random.normal(), random.normal(), random.normal());
    VectorXd Q = VectorXd::Zero(t.touch.rows());
    for (int k = 0; k < 3; ++k) {
      Q += t.touch.middleCols<3>(3 * Index{t.loads.triangles(k, triangle)}) * (l[k] * F);
    }
    const auto left = [&](const LoadFinder& finder) {
      const FoundLoad found = finder.find(Q);
      double sum = 0;
      for (int k = 0; k < found.count; ++k) {
        EXPECT_GT(found.weights[static_cast<std::size_t>(k)], 0);
        sum += found.weights[static_cast<std::size_t>(k)];
      }
      EXPECT_NEAR(sum, 1, 1e-12);
      VectorXd rest = Q;
      finder.subtract(found, rest);
      return rest.norm() / Q.norm();
    };
    left_nearest += left(nearest) / 40;
    left_linear += left(linear) / 40;
  }
  EXPECT_LT(left_linear, 0.3 * left_nearest);
}

TEST(LoadFinder, OfManyNodesTheWayUphillFindsTheSame) {
  const Touched many({4, 4, 40});
  ASSERT_GT(many.loads.node_count(), 600);  // more than are looked at
  const LoadFinder finder(many.touch, many.loads.triangles, false);
  int missed = 0;
  for (Index s = 0; s < finder.node_count(); s += 7) {
    const Vector3d F(0, -1, 0.2);
    VectorXd Q = many.touch.middleCols<3>(3 * s) * F;
    const double all = Q.norm();
    finder.subtract(finder.find(Q), Q);
    missed += Q.norm() > 0.05 * all;
  }
  EXPECT_EQ(missed, 0);
}

TEST(LoadFinder, FindsNothingWhereNothingActs) {
  const Touched& t = touched();
  const LoadFinder finder(t.touch, t.loads.triangles, true);
  EXPECT_EQ(finder.find(VectorXd::Zero(finder.size())).count, 0);
}

}  // namespace
}  // namespace pliant::test
