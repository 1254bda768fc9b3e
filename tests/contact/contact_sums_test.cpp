// SPDX-License-Identifier: MIT
// What many contacts do to one body, summed at once, is what they do one by one.
#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "pliant/contact/carried_points.hpp"
#include "pliant/contact/spring_room.hpp"
#include "solids.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

constexpr Index r = 7;

Matrix3Xd places(Index count, Random& random) {
  Matrix3Xd X(3, count);
  for (double& x : X.reshaped()) x = random.uniform(-1, 1);
  return X;
}

TEST(CarriedPoints, AreTheSumsOfSingleInfluences) {
  Random random(3);
  const auto proxies_of = [&](Index count) {
    MatrixXd U(3 * count, r);
    for (double& u : U.reshaped()) u = random.uniform(-1, 1);
    return Proxies(LinearShape(places(count, random), U), Eigen::MatrixXf::Zero(9, count * r));
  };
  const DistanceField rest = test::field_of(test::sphere());
  const Proxies first = proxies_of(21), second = proxies_of(9);  // neither a whole number of blocks
  const DomainField field({DeformedField(rest, first), DeformedField(rest, second)});
  VectorXf dc(r);
  for (float& v : dc) v = static_cast<float>(random.uniform(-1, 1));
  VectorXd Q = VectorXd::Zero(r), single = Q;
  const test::AllocationCounter counter;
  CarriedPoints sums(dc, Q);
  for (int i = 0; i < 40; ++i) {
    // The two domains by turns.
    const DeformedField& domain = field.domain(i / 3 % 2);
    const Eigen::Vector3f x =
        Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), 0).cast<float>();
    const DomainField::Influence at{&domain, domain.influence(x)};
    const Eigen::Vector3f f(1.0F, static_cast<float>(i), -2.0F);
    sums.add_force(at, f);
    at.add_force(f, single);
    const Eigen::Vector3f v = sums.velocity(at);
    Eigen::Vector3f wanted = Eigen::Vector3f::Zero();
    for (std::size_t k = 0; k < at.weights.proxy.size(); ++k) {
      const LinearShape& points = domain.proxies().points();
      wanted += at.weights.weight[k] * (points.position(at.weights.proxy[k], dc) -
                                        points.rest_position(at.weights.proxy[k]));
    }
    EXPECT_LT((v - wanted).norm(), 1e-5F);
  }
  sums.flush();
  EXPECT_EQ(counter.count(), 0);
  EXPECT_LT((Q - single).norm(), 1e-5 * single.norm());
  const VectorXd once = Q;
  sums.flush();
  EXPECT_EQ(Q, once) << "a second time there is nothing left";
}

// Of two bodies by turns, which share the memory: every number of springs that is taken at once.
TEST(SpringRoom, AddsItsSpringsToTheirTangents) {
  const auto lower = [](const MatrixXd& A) -> MatrixXd { return A.triangularView<Eigen::Lower>(); };
  for (const int turn : {1, 2, 3, 4, 9}) {
    Random random(5);
    SpringRoom room(r);
    Load loads[2] = {Load(r, true), Load(r, true)};
    MatrixXd K[2], D[2];
    for (int body = 0; body < 2; ++body) K[body] = D[body] = MatrixXd::Zero(6 + r, 6 + r);
    for (int i = 0; i < 36; ++i) {
      const int body = i / turn % 2;
      const Vector3d n = places(1, random).col(0), arm = places(1, random).col(0);
      for (double& v : room.modal) v = random.uniform(-1, 1);
      VectorXd j(6 + r);
      j << n, arm.cross(n), room.modal;
      const double k = random.uniform(0, 10), d = random.uniform(0, 1);
      K[body] += k * j * j.transpose();
      D[body] += d * j * j.transpose();
      room.add(n, arm, k, d, loads[body].tangent);
    }
    room.flush();
    for (int body = 0; body < 2; ++body) {
      EXPECT_TRUE(loads[body].tangent.used);
      EXPECT_LT((loads[body].tangent.K - lower(K[body])).norm(), 1e-12 * K[body].norm()) << turn;
      EXPECT_LT((loads[body].tangent.D - lower(D[body])).norm(), 1e-12 * D[body].norm()) << turn;
    }
  }
}

}  // namespace
}  // namespace pliant
