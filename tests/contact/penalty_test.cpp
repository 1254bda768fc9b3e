// SPDX-License-Identifier: MIT
#include "pliant/contact/penalty.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "pliant/contact/bake/nested_points.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "solids.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using test::Solid;

// A shell of a sphere above the field of a large box, whose top is the plane z = 0.3.
class SphereOnBox : public testing::Test {
 protected:
  SphereOnBox() : field(test::field_of(test::box(), {.resolution = 128})) {
    const Solid ball = test::sphere(radius);
    Pointshell made =
        make_pointshell(test::field_of(ball), isosurface({ball.D, ball.box, true}, 0.02),
                        {.points = 4000, .levels = 4});
    data = nest(made);
    set.emplace(LinearShape(made.X, MatrixXd(3 * made.X.cols(), 0),
                            {made.N, MatrixXd(3 * made.X.cols(), 0)}));
    tree.emplace(data, *set->linear());
    traversal.emplace(*tree);
    on_ball = Load(0, false);
    on_box = Load(0, false);
  }

  PenaltySum touch(double depth, const Vector3d& beside = Vector3d::Zero()) {
    ball.pose.position = Vector3d(0, 0, 0.3 + radius - depth) + beside;
    traversal->run(*tree, *set->linear(), {}, field,
                   {Eigen::Matrix3f::Identity(), ball.pose.position.cast<float>()});
    on_ball.set_zero();
    on_box.set_zero();
    if (anchors) anchors->begin(1e-3);
    return add_penalty(spec, *traversal, {*set, ball, on_ball, {}, none},
                       {nullptr, block, on_box, none}, report, anchors ? &*anchors : nullptr);
  }

  static constexpr double radius = 0.25;
  DistanceField field;
  PointTreeData data;
  std::optional<PointSet> set;
  std::optional<PointTree> tree;
  std::optional<Traversal> traversal;
  Motion ball{0}, block{0};
  Load on_ball, on_box;
  SpringRoom none;
  std::optional<FrictionAnchors> anchors;
  PenaltySpec spec{.stiffness = 100, .limit = 10, .published_count = true};
  std::vector<ContactPoint> report = std::vector<ContactPoint>(16);
};

// The limit (3.2): of the cap of height e, force = k L int (e - t) n dA / int dA, with the depth
// e - t at height t, dA = 2 pi R dt, and n_z = (R - t) / R.
TEST_F(SphereOnBox, ForceIsThatOfTheIntegral) {
  const double e = 0.06, R = radius;
  const double expected = spec.stiffness * spec.limit * (e * e / 2 - e * e * e / (6 * R)) / e;
  const PenaltySum sum = touch(e);
  EXPECT_GT(sum.contacts, 100);
  EXPECT_NEAR(sum.force[2], expected, 0.03 * expected);
  EXPECT_NEAR(sum.force.head<2>().norm(), 0, 0.03 * expected);
  EXPECT_NEAR(sum.deepest, e, 0.2 * field.cell());
}

TEST_F(SphereOnBox, WhatOneBodyGetsTheOtherLoses) {
  block.pose.position = Vector3d(0.3, -0.2, 0.1);  // only the moments' centre here
  ball.velocity = Vector3d(0, 0, -0.1);
  spec.damping = 0.01;
  const PenaltySum sum = touch(0.05, {0.1, 0.05, 0});
  EXPECT_LT((on_ball.force + on_box.force).norm(), 1e-9);
  const Vector3d about_origin = on_ball.torque + ball.pose.position.cross(on_ball.force) +
                                on_box.torque + block.pose.position.cross(on_box.force);
  EXPECT_LT(about_origin.norm(), 1e-6 * sum.force.norm());
  EXPECT_LT((sum.force - on_ball.force).norm(), 1e-9);
}

TEST_F(SphereOnBox, GoingInTakesMoreForceAndComingOutLess) {
  spec.damping = 0.01;
  ball.velocity = Vector3d(0, 0, -0.5);
  const double in = touch(0.05).force[2];
  ball.velocity.setZero();
  const double still = touch(0.05).force[2];
  ball.velocity = Vector3d(0, 0, 0.5);
  const double out = touch(0.05).force[2];
  EXPECT_GT(in, 1.1 * still);
  EXPECT_LT(out, 0.95 * still);
  ball.velocity = Vector3d(0, 0, 100);
  EXPECT_EQ(touch(0.05).force[2], 0);  // it never pulls
  // It is the motion against the other body that counts.
  block.velocity = ball.velocity = Vector3d(0, 0, 100);
  EXPECT_NEAR(touch(0.05).force[2], still, 1e-9 * still);
}

// The tangent is how the force falls when the ball goes out, but for points that leave and enter.
TEST_F(SphereOnBox, TheTangentIsTheStiffnessOfTheContacts) {
  on_ball = Load(0, true);
  on_box = Load(0, true);
  spec.limit = 1e9;
  touch(0.05);
  ASSERT_TRUE(on_ball.tangent.used && on_box.tangent.used);
  const double less = touch(0.0499).force[2], more = touch(0.0501).force[2];
  touch(0.05);
  const double slope = (more - less) / 2e-4;
  EXPECT_NEAR(on_ball.tangent.K(2, 2), slope, 0.1 * slope);
  EXPECT_NEAR(on_box.tangent.K(2, 2), slope, 0.1 * slope);
  const MatrixXd K = on_ball.tangent.K.selfadjointView<Eigen::Lower>();
  EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatrixXd>(K).eigenvalues().minCoeff(), -1e-9 * slope);
}

// The jump of the published count when a point enters, and the smooth count without one.
TEST_F(SphereOnBox, TheSmoothCountHasNoJumps) {
  const auto largest_jump = [&] {
    double worst = 0, last = touch(0.02).force[2];
    for (int k = 1; k <= 4000; ++k) {
      const double force = touch(0.02 + 1e-5 * k).force[2];
      worst = std::max(worst, std::abs(force - last) / force);
      last = force;
    }
    return worst;
  };
  spec.published_count = true;
  const double published = largest_jump();
  spec.published_count = false;
  spec.full_depth = field.cell();
  const double smooth = largest_jump();
  EXPECT_GT(published, 5e-3);
  EXPECT_LT(smooth, 2e-3);
}

// F = s k sum a_i d_i N_i: over a move of length h no d_i changes by more than L h, so that F does by
//
//   at most   s k sum a_i L h  +  |F| 3/(2 d_full) sum' a_i L h / l          sum': d_i < d_full
//
// with the smooth count; the published one has jumps that no bound holds.
TEST_F(SphereOnBox, TheTotalForceChangesWithinItsLipschitzBound) {
  const double L = static_cast<double>(field.grid().lipschitz);
  spec.full_depth = field.cell();
  const auto beyond = [&](bool published, int moves) {
    spec.published_count = published;
    Random random(3);
    Vector3d at(0, 0, 0);
    double depth = 0.02, last_bound = 0;
    Vector3d last = Vector3d::Zero();
    int count = 0;
    for (int k = 0; k < moves; ++k) {
      const Vector3d step = 2e-5 * test::direction(random);
      at.head<2>() += step.head<2>();
      depth = std::clamp(depth + step[2], 0.001, 0.05);
      const PenaltySum sum = touch(depth, at);
      double fresh = 0;
      for (const int p : traversal->points()) {
        fresh += -static_cast<double>(traversal->distance(p)) < spec.full_depth ? 1 : 0;
      }
      const double limited = std::max(contact_count(spec, *traversal, {}), spec.limit);
      const double bound = sum.scale * spec.stiffness * sum.contacts * L +
                           sum.force.norm() * 1.5 / spec.full_depth * fresh * L / limited;
      // Of the larger of both ends, as in between both parts change little.
      const double most = 1.05 * std::max(bound, last_bound) * step.norm() + 1e-4;
      if (k > 0 && (sum.force - last).norm() > most) ++count;
      last = sum.force;
      last_bound = bound;
    }
    return count;
  };
  EXPECT_EQ(beyond(false, 100000), 0);
  const int jumps = beyond(true, 20000);
  EXPECT_GT(jumps, 10);
  RecordProperty("published_jumps_in_20000_moves", jumps);
}

// The same while the ball moves, turns by w about its centre and changes its shape by dc at once: no
// point goes farther, and no normal turns by more, than
//
//   h <= |move| + |w| max |x_i| + sum_j a_j |dc_j|,  a_j = max_i |U_ij|       |dN_i| <= |w|
//
// so that F changes by what it does above, with this h, and s k sum a_i d_i |w| for the normals.
TEST_F(SphereOnBox, TheTotalForceIsContinuousInTurnsAndShapes) {
  constexpr Index r = 3;
  const Index points = set->point_count();
  Matrix3Xd X(3, points), N(3, points);
  MatrixXd U(3 * points, r);
  VectorXd most_of = VectorXd::Zero(r);  // a_j
  Random random(7);
  const std::array<Vector3d, r> wave{test::direction(random), test::direction(random),
                                     test::direction(random)};
  for (Index p = 0; p < points; ++p) {
    X.col(p) = set->rest_position(p).cast<double>();
    N.col(p) = set->linear()->rest_normal(p).cast<double>();
    for (Index j = 0; j < r; ++j) {
      const double size = std::sin(8 * wave[static_cast<std::size_t>(j)].dot(X.col(p)));
      U.col(j).segment<3>(3 * p) = size * Vector3d::Unit(j);
      most_of[j] = std::max(most_of[j], std::abs(size));
    }
  }
  const PointSet soft(LinearShape(X, U, {N, MatrixXd::Zero(3 * points, r)}));
  const PointTree own(data, *soft.linear());
  const double L = static_cast<double>(field.grid().lipschitz);
  spec.full_depth = field.cell();
  const auto beyond = [&](bool published, int moves) {
    spec.published_count = published;
    Traversal found(own);
    Motion body(r);
    Load on_body(r, false);
    // Where the count limits: the smooth one only deeper in.
    Vector3d at(0, 0, published ? 0.005 : 0.02), last = Vector3d::Zero();
    double last_slope = 0, last_turned = 0;
    int count = 0, touching = 0;
    for (int k = 0; k < moves; ++k) {
      const Vector3d turn = 2e-5 * test::direction(random), before = at;
      at += 5e-6 * test::direction(random);
      at[2] = std::clamp(at[2], 0.001, 0.05);  // depth
      body.pose.position = Vector3d(at[0], at[1], 0.3 + radius - at[2]);
      body.pose.rotation = (Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())) *
                            body.pose.rotation)
                               .normalized();
      double h = (at - before).norm(), arm = X.colwise().norm().maxCoeff();
      for (Index j = 0; j < r; ++j) {
        const float c =
            std::clamp(body.c[j] + static_cast<float>(random.uniform(-5e-6, 5e-6)), -0.02F, 0.02F);
        h += most_of[j] * std::abs(static_cast<double>(c - body.c[j]));
        arm += most_of[j] * std::abs(static_cast<double>(c));
        body.c[j] = c;
      }
      h += turn.norm() * arm;
      found.run(
          own, *soft.linear(), body.c, field,
          {body.pose.rotation.toRotationMatrix().cast<float>(), body.pose.position.cast<float>()});
      on_body.set_zero();
      on_box.set_zero();
      const PenaltySum sum = add_penalty(spec, found, {soft, body, on_body, {}, none},
                                         {nullptr, block, on_box, none}, {});
      double fresh = 0, depths = 0;
      for (const int p : found.points()) {
        const double depth = -static_cast<double>(found.distance(p));
        fresh += depth < spec.full_depth ? 1 : 0;
        depths += depth;
      }
      const double limited = std::max(contact_count(spec, found, {}), spec.limit);
      const double slope = sum.scale * spec.stiffness * sum.contacts * L +
                           sum.force.norm() * 1.5 / spec.full_depth * fresh * L / limited;
      const double turned = sum.scale * spec.stiffness * depths;
      const double most =
          1.05 * (std::max(slope, last_slope) * h + std::max(turned, last_turned) * turn.norm()) +
          1e-4;
      if (k > 0 && (sum.force - last).norm() > most) ++count;
      touching += sum.contacts > 10 ? 1 : 0;
      last = sum.force;
      last_slope = slope;
      last_turned = turned;
    }
    EXPECT_GT(touching, moves / 2);
    return count;
  };
  EXPECT_EQ(beyond(false, 40000), 0);
  EXPECT_GT(beyond(true, 10000), 10);
}

TEST_F(SphereOnBox, FrictionHoldsUpToItsLimit) {
  spec.friction = 0.4;
  anchors.emplace(set->point_count());
  const double normal = touch(0.05).force[2];
  EXPECT_NEAR(touch(0.05).force[0], 0, 0.03 * normal);
  // Dragged: the force grows against the motion and stays at the limit.
  double last = 0, largest_step = 0;
  const double start = touch(0.05).force[0];
  for (int k = 1; k <= 400; ++k) {
    const double along = touch(0.05, {1e-4 * k, 0, 0}).force[0] - start;
    largest_step = std::max(largest_step, std::abs(along - last));
    last = along;
  }
  EXPECT_NEAR(last, -0.4 * normal, 0.08 * normal);
  EXPECT_LT(largest_step, 0.05 * normal) << "it is continuous";
  // At rest it holds and does not creep.
  for (int k = 0; k < 100; ++k) last = touch(0.05, {0.04, 0, 0}).force[0];
  EXPECT_NEAR(touch(0.05, {0.04, 0, 0}).force[0], last, 1e-9 * normal);
  // Back by less than the slip length: it holds the other way round only in part.
  const double back = touch(0.05, {0.04 - 1e-4, 0, 0}).force[0];
  EXPECT_GT(back, last);
  EXPECT_LT(back, 0);
  // What has left is forgotten.
  touch(-0.01, {0.04, 0, 0});
  EXPECT_NEAR(touch(0.05, {0.04, 0, 0}).force[0], 0, 0.05 * normal);
}

TEST_F(SphereOnBox, WithoutFrictionNothingIsHeld) {
  anchors.emplace(set->point_count());
  touch(0.05);
  const double with = touch(0.05, {0.01, 0, 0}).force[0];
  anchors.reset();
  EXPECT_EQ(touch(0.05, {0.01, 0, 0}).force[0], with);
}

TEST_F(SphereOnBox, FrictionIsPartOfTheTangent) {
  on_ball = Load(0, true);
  on_box = Load(0, true);
  spec.friction = 0.5;
  spec.limit = 1e9;
  touch(0.05);
  const double without = on_ball.tangent.K(0, 0);
  anchors.emplace(set->point_count());
  touch(0.05);
  EXPECT_GT(on_ball.tangent.K(0, 0), without + 0.5 * on_ball.tangent.K(2, 2));
}

TEST_F(SphereOnBox, ReportsTheFirstContactsAndNoMore) {
  const PenaltySum sum = touch(0.05);
  ASSERT_GT(sum.contacts, 16);
  for (const ContactPoint& contact : report) {
    EXPECT_GE(contact.point, 0);
    EXPECT_GT(contact.depth, 0);
    EXPECT_NEAR(contact.place[2], 0.3 - contact.depth, 0.2 * field.cell());
    EXPECT_GT(contact.force[2], 0);
    EXPECT_NEAR(contact.normal.norm(), 1, 1e-5);
  }
}

TEST_F(SphereOnBox, AllocatesNothing) {
  touch(0.05);
  const test::AllocationCounter counter;
  touch(0.05);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace pliant
