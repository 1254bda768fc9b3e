// SPDX-License-Identifier: MIT
#include "pliant/contact/contact_pair.hpp"

#include <gtest/gtest.h>

#include "pliant/base/tensor_file.hpp"
#include "pliant/contact/bake/nested_points.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "solids.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

constexpr double radius = 0.25;

// A shell of a ball, as an asset has it.
std::string ball_bytes() {
  const test::Solid ball = test::sphere(radius);
  Pointshell made =
      make_pointshell(test::field_of(ball), isosurface({ball.D, ball.box, true}, 0.03),
                      {.points = 1000, .levels = 3});
  const PointTreeData data = nest(made);
  TensorWriter out;
  out.keep("ball/shell/X", Matrix3Xf(made.X.cast<float>()));
  out.keep("ball/shell/N", Matrix3Xf(made.N.cast<float>()));
  out.keep("ball/shell/weights_of_points",
           VectorXf((made.areas / made.areas.mean()).cast<float>()));
  out.keep("ball/shell/levels",
           VectorXi(Eigen::Map<const VectorXi>(data.first.data(), std::ssize(data.first))));
  out.keep("ball/shell/parents",
           VectorXi(Eigen::Map<const VectorXi>(data.parent.data(), std::ssize(data.parent))));
  return out.bytes();
}

class BallOnPlane : public testing::Test {
 protected:
  BallOnPlane()
      : bytes(ball_bytes()),
        file(bytes, "ball"),
        shell(file, "ball/shell/", 0),
        field(AnalyticField({RigidShape{}})),  // z <= 0 is inside
        pair(shell, 0) {}

  Meeting meet() {
    on_ball = Load(0, false);
    on_plane = Load(0, false);
    return pair.meet(spec, {}, {ball, on_ball, none}, field, nullptr, {plane, on_plane, none},
                     report);
  }

  std::string bytes;
  TensorView file;
  ContactShell shell;
  ContactField field;
  ContactPair pair;
  Motion ball{0}, plane{0};
  Load on_ball, on_plane;
  SpringRoom none;
  PenaltySpec spec{.stiffness = 100, .limit = 10};
  std::vector<ContactPoint> report = std::vector<ContactPoint>(8);
};

// Single precision is that of the bodies, not of where they are.
TEST_F(BallOnPlane, FeelsTheSameFarAway) {
  ball.pose.position = Vector3d(0.01, 0.02, radius - 0.03);
  const Meeting here = meet();
  const Vector3d at_place = report[0].place;
  ASSERT_GT(here.sum.contacts, 10);
  const Vector3d far(1e6, -2e6, 3e6);
  ball.pose.position += far;
  plane.pose.position += far;
  const Meeting there = meet();
  EXPECT_EQ(there.sum.contacts, here.sum.contacts);
  EXPECT_LT((there.sum.force - here.sum.force).norm(), 1e-5 * here.sum.force.norm());
  EXPECT_LT((report[0].place - far - at_place).norm(), 1e-6);
}

// Both bodies turned together: the force turns with them.
TEST_F(BallOnPlane, TurnsWithTheBodies) {
  ball.pose.position = Vector3d(0.01, 0.02, radius - 0.03);
  const Vector3d force = meet().sum.force;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Vector3d(1, 2, -1).normalized()));
  for (Motion* motion : {&ball, &plane}) {
    motion->pose.position = turn * motion->pose.position;
    motion->pose.rotation = turn * motion->pose.rotation;
  }
  EXPECT_LT((meet().sum.force - turn * force).norm(), 1e-4 * force.norm());
}

TEST_F(BallOnPlane, ABallThatIsClearIsCulled) {
  EXPECT_TRUE(may_touch(field, nullptr, {0, 0, 0.2}, 0.25));
  EXPECT_FALSE(may_touch(field, nullptr, {0, 0, 0.3}, 0.25));
  ball.pose.position = Vector3d(0, 0, 2);
  EXPECT_EQ(meet().sum.contacts, 0);
  EXPECT_TRUE(on_ball.force.isZero(0.0));
}

TEST_F(BallOnPlane, MeetingAllocatesNothing) {
  ball.pose.position = Vector3d(0, 0, radius - 0.03);
  meet();
  const test::AllocationCounter counter;
  pair.meet(spec, {}, {ball, on_ball, none}, field, nullptr, {plane, on_plane, none}, report);
  EXPECT_EQ(counter.count(), 0);
}

// Bodies that were apart and meet again: nothing of where they met before is held or blended.
TEST_F(BallOnPlane, AfterAGapTheForceIsThatOfAFirstMeeting) {
  spec.friction = 0.5;
  spec.step = 1e-3;
  ball.pose.position = Vector3d(0, 0, radius - 0.05);
  meet();
  pair.forget_forces();
  ball.pose.position = Vector3d(0.1, 0, radius - 0.03);
  const TraversalBudget few{.warm = 1, .cold = 1};
  const auto meet_few = [&](ContactPair& own) {
    on_ball = Load(0, false);
    on_plane = Load(0, false);
    return own.meet(spec, few, {ball, on_ball, none}, field, nullptr, {plane, on_plane, none},
                    report);
  };
  const Vector3d again = meet_few(pair).sum.force;
  ContactPair other(shell, 0);
  const Meeting first = meet_few(other);
  ASSERT_EQ(first.levels, 1);
  ASSERT_GT(first.sum.contacts, 0);
  EXPECT_LT((again - first.sum.force).norm(), 1e-9 * first.sum.force.norm());
}

// Points that no tree holds: what is found is what a tree finds.
TEST_F(BallOnPlane, AllPointsAreLookedAtWithoutATree) {
  ball.pose.position = Vector3d(0, 0, radius - 0.03);
  const Meeting found = meet();
  Matrix3Xf places(3, shell.points.point_count());
  shell.points.frame_positions(ball, places);
  Traversal all(places.cols());
  all.run_all(places, std::get<AnalyticField>(field.rest),
              {Eigen::Matrix3f::Identity(), ball.pose.position.cast<float>()});
  EXPECT_EQ(static_cast<int>(all.points().size()), found.sum.contacts);
  EXPECT_EQ(all.visited(), places.cols());
}

}  // namespace
}  // namespace pliant
