// SPDX-License-Identifier: MIT
// Every form of the gradient against differences of what it claims to be the derivative of.
#include "pliant/contact/contact_gradient.hpp"

#include <cmath>
#include <functional>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "pliant/contact/analytic_field.hpp"
#include "pliant/contact/bake/nested_points.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "solids.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using test::Solid;

constexpr Index r = 3;

MatrixXd swelling(const Matrix3Xd& X) {
  MatrixXd U(3 * X.cols(), r);
  for (Index p = 0; p < X.cols(); ++p) {
    U.block<3, 1>(3 * p, 0) = Vector3d(X(2, p), 0, 0.3 * X(0, p));
    U.block<3, 1>(3 * p, 1) = X.col(p);
    U.block<3, 1>(3 * p, 2) = Vector3d(0, std::sin(3 * X(0, p)), 0);
  }
  return U;
}

// A ball that bulges, pressed into a torus by formulas; both at poses of no symmetry.
class BallInTorus : public testing::Test {
 protected:
  BallInTorus() : field({torus()}) {
    const Solid ball = test::sphere(0.25);
    Pointshell made =
        make_pointshell(test::field_of(ball), isosurface({ball.D, ball.box, true}, 0.02),
                        {.points = 2000, .levels = 3, .steps = 20});
    const PointTreeData data = nest(made);
    // Normals that do not turn with c: that part is left out.
    set.emplace(
        LinearShape(made.X, swelling(made.X), {made.N, MatrixXd::Zero(3 * made.X.cols(), r)}));
    tree.emplace(data, *set->linear());
    traversal.emplace(*tree);
    shell = Motion(r);
    shell.c << 0.05F, 0.02F, -0.03F;
    shell.pose.rotation = Eigen::AngleAxisd(0.6, Vector3d(1, -2, 0.5).normalized());
    body.pose.position = {0.2, -0.1, 0.4};
    body.pose.rotation = Eigen::AngleAxisd(0.8, Vector3d(2, 1, -1).normalized());
    // Into the tube, from above and outside.
    shell.pose.position = body.pose.position + body.pose.rotation * Vector3d(0.85, 0.1, 0.38);
  }
  static RigidShape torus() {
    RigidShape shape;
    shape.kind = RigidShape::Kind::torus;
    shape.size = {0.8, 0.2, 0};
    return shape;
  }
  ShellSide shell_side() { return {*set, shell, on_shell, {}, room}; }
  FieldSide field_side() { return {nullptr, body, on_body, none}; }

  PenaltySum touch() {
    const Eigen::Quaterniond back = body.pose.rotation.conjugate();
    traversal->run(*tree, *set->linear(), shell.c, field,
                   {(back * shell.pose.rotation).toRotationMatrix().cast<float>(),
                    (back * (shell.pose.position - body.pose.position)).cast<float>()});
    on_shell.set_zero();
    on_body.set_zero();
    return add_penalty(spec, *traversal, shell_side(), field_side(), {});
  }

  // (F, T about o, Q) of the body that the request is about.
  VectorXd load(ContactSide of, const Vector3d& o) {
    touch();
    const bool own = of == ContactSide::shell;
    const Load& all = own ? on_shell : on_body;
    const Vector3d& p = own ? shell.pose.position : body.pose.position;
    VectorXd result(6 + all.Q.size());
    result << all.force, all.torque + (p - o).cross(all.force), all.Q;
    return result;
  }

  // By differences of the load, in the world: o goes with the body.
  MatrixXd differences(ContactSide of, const Vector3d& o, Index freedoms) {
    MatrixXd G(freedoms, freedoms);
    Motion& moving = of == ContactSide::shell ? shell : body;
    const Motion start = moving;
    constexpr double step = 1e-3;
    for (Index j = 0; j < freedoms; ++j) {
      const auto at = [&](double h) -> VectorXd {
        moving = start;
        Vector3d about = o;
        if (j < 3) {
          moving.pose.position[j] += h;
          about[j] += h;
        } else if (j < 6) {
          const Eigen::Quaterniond turn(Eigen::AngleAxisd(h, Vector3d::Unit(j - 3)));
          moving.pose.position = o + turn * (moving.pose.position - o);
          moving.pose.rotation = turn * moving.pose.rotation;
        } else {
          moving.c[j - 6] += static_cast<float>(h);
        }
        return load(of, about).head(freedoms);
      };
      G.col(j) = (at(step) - at(-step)) / (2 * step);
    }
    moving = start;
    touch();
    return G;
  }

  AnalyticField field;
  std::optional<PointSet> set;
  std::optional<PointTree> tree;
  std::optional<Traversal> traversal;
  Motion shell, body{0};
  Load on_shell{r, false}, on_body{0, false};
  SpringRoom room{r}, none;
  PenaltySpec spec{.stiffness = 100, .limit = 1e9};
};

void expect_close(const MatrixXd& G, const MatrixXd& expected, double share) {
  const double size = expected.cwiseAbs().maxCoeff();
  EXPECT_LT((G - expected).cwiseAbs().maxCoeff(), share * size) << G << "\n\n" << expected;
}

TEST_F(BallInTorus, DirectGradientOfTheFieldsBodyIsTheDerivative) {
  ASSERT_GT(touch().contacts, 20);
  const Vector3d grasp = body.pose.position + Vector3d(0.3, 0.2, -0.1);
  ContactGradient gradient;
  gradient.compute({ContactSide::field, GradientForm::direct, grasp}, spec, *traversal,
                   shell_side(), field_side(), field);
  EXPECT_LT((gradient.load() - load(ContactSide::field, grasp)).norm(), 1e-6);
  expect_close(gradient.matrix(), differences(ContactSide::field, grasp, 6), 0.01);
}

TEST_F(BallInTorus, DirectGradientOfTheShellsBodyIsTheDerivativeWithItsShape) {
  touch();
  const Vector3d grasp = shell.pose.position + Vector3d(0.1, -0.2, 0.1);
  ContactGradient gradient(r);
  gradient.compute({ContactSide::shell, GradientForm::direct, grasp}, spec, *traversal,
                   shell_side(), field_side(), field);
  EXPECT_LT((gradient.load() - load(ContactSide::shell, grasp)).norm(), 1e-5);
  expect_close(gradient.matrix(), differences(ContactSide::shell, grasp, 6 + r), 0.01);
}

// The limit of many contacts is part of the derivative if the count is smooth.
TEST_F(BallInTorus, DirectGradientKnowsTheSmoothCount) {
  spec.limit = 5;
  spec.full_depth = 0.03;
  ASSERT_LT(touch().scale, 0.7);
  ContactGradient gradient(r);
  gradient.compute({ContactSide::shell, GradientForm::direct, shell.pose.position}, spec,
                   *traversal, shell_side(), field_side(), field);
  const MatrixXd expected = differences(ContactSide::shell, shell.pose.position, 6 + r);
  expect_close(gradient.matrix(), expected, 0.02);
  ContactGradient constant(r);
  PenaltySpec as_it_is = spec;
  as_it_is.stiffness *= touch().scale;
  as_it_is.limit = 1e9;
  constant.compute({ContactSide::shell, GradientForm::direct, shell.pose.position}, as_it_is,
                   *traversal, shell_side(), field_side(), field);
  EXPECT_GT((constant.matrix() - expected).cwiseAbs().maxCoeff(),
            0.05 * expected.cwiseAbs().maxCoeff());
}

// (4.11), (4.12) by their own words: the field stays, points and normals go the other way, and the
// distance falls along the normals.
TEST_F(BallInTorus, MirroredGradientIsThatOfTheMirroredMotion) {
  touch();
  const Vector3d grasp = body.pose.position + Vector3d(0.3, 0.2, -0.1);
  ContactGradient gradient;
  gradient.compute({ContactSide::field, GradientForm::mirrored, grasp}, spec, *traversal,
                   shell_side(), field_side(), field);
  const auto mirrored = [&](const Vector3d& dx, const Vector3d& dw) {
    VectorXd sum = VectorXd::Zero(6);
    for (const int p : traversal->points()) {
      const Vector3d x = set->position(shell, p), N = set->normal(shell, p);
      const Vector3d moved = x - dx - dw.cross(x - grasp), turned = N - dw.cross(N);
      const double d = static_cast<double>(traversal->distance(p)) + N.dot(moved - x);
      const Vector3d F = spec.stiffness * d * turned;
      sum.head<3>() += F;
      sum.tail<3>() += (moved - grasp).cross(F);
    }
    return sum;
  };
  MatrixXd expected(6, 6);
  for (int j = 0; j < 6; ++j) {
    const Vector3d e = 1e-5 * Vector3d::Unit(j % 3), zero = Vector3d::Zero();
    expected.col(j) = j < 3 ? (mirrored(e, zero) - mirrored(-e, zero)) / 2e-5
                            : (mirrored(zero, e) - mirrored(zero, -e)) / 2e-5;
  }
  expect_close(gradient.matrix(), expected, 1e-6);
  // And it is not the derivative in the world.
  const MatrixXd world = differences(ContactSide::field, grasp, 6);
  EXPECT_GT((gradient.matrix() - world).cwiseAbs().maxCoeff(), 0.02 * world.cwiseAbs().maxCoeff());
}

TEST_F(BallInTorus, MirroredGradientOfTheShellIsAStiffness) {
  touch();
  ContactGradient gradient(r);
  const MatrixXd G =
      gradient.compute({ContactSide::shell, GradientForm::mirrored, shell.pose.position}, spec,
                       *traversal, shell_side(), field_side(), field);
  EXPECT_LT((G - G.transpose()).norm(), 1e-9 * G.norm());
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<MatrixXd>(G).eigenvalues().maxCoeff(), 1e-6 * G.norm());
}

TEST_F(BallInTorus, GradientsAllocateNothing) {
  touch();
  ContactGradient gradient(r);
  const test::AllocationCounter counter;
  gradient.compute({ContactSide::shell, GradientForm::direct, {}}, spec, *traversal, shell_side(),
                   field_side(), field);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace pliant
