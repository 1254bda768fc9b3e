// SPDX-License-Identifier: MIT
// Bodies whose parts turn far against each other, beside the full solution.
#include "pliant/green/warped_engine.hpp"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "green/green_bodies.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/linalg/cholesky.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/world/engine.hpp"
#include "support/allocation_counter.hpp"

namespace pliant::test {
namespace {

static_assert(Engine<GreenWarpedEngine>);
static_assert(MovesControls<GreenWarpedEngine> && HasControls<GreenWarpedEngine>);

using enum ControlState;

constexpr double length = 1.0, side = 0.1, grip = 0.06;

TEST(Warping, AMeanRotationTakesARotationVectorToItsRotation) {
  for (const double angle : {1e-6, 0.009, 0.011, 1.0, 3.0}) {
    const Vector3d w = angle * Vector3d(1, -2, 0.5).normalized();
    const Matrix3d expected = rotation_by(w).toRotationMatrix() - Matrix3d::Identity();
    EXPECT_LT((mean_rotation(w) * cross_matrix(w) - expected).norm(), 1e-12);
  }
}

TEST(Warping, AnAffineMotionShowsAsWanted) {
  const Matrix3d R = rotation_by({0.4, -0.9, 0.7}).toRotationMatrix();
  AffineMotion wanted{0.1, -0.2, 0.3}, linear;
  for (int i = 0; i < 9; ++i) {
    wanted[static_cast<std::size_t>(3 + i)] = R(i / 3, i % 3) - (i % 4 == 0 ? 1 : 0);
  }
  ASSERT_TRUE(unwarp(wanted, linear));
  EXPECT_LT((turn_of(linear) - Vector3d(0.4, -0.9, 0.7)).norm(), 1e-12);
  const AffineMotion back = warp(linear);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(back[i], wanted[i], 1e-12);
}

struct Bar {
  fem::ElasticModel linear, large;
  std::vector<NamedSet> controls;
  GreenFunctions functions;
  std::string bytes;

  static VolumeMesh mesh() { return block(ElementType::hex8, {24, 3, 3}, {length, side, side}); }
  Bar()
      : linear(mesh(), {fem::isotropic(fem::Law::linear, 1e6, 0.3, 1000)}),
        large(mesh(), {fem::isotropic(fem::Law::stvk, 1e6, 0.3, 1000)}) {
    controls = {{"left", {}}, {"right", {}}};
    for (int v = 0; v < linear.mesh().vertex_count(); ++v) {
      const double x = linear.mesh().V(0, v);
      if (x < grip) controls[0].items.push_back(v);
      if (x > length - grip) controls[1].items.push_back(v);
    }
    functions = green_functions(linear, {}, controls, 2);
    TensorWriter writer;
    functions.write(writer, "bar/green/");
    functions.write_warped(writer, "bar/green/", linear, controls);
    bytes = writer.bytes();
  }
  GreenWarpedModel model(Linearity::Beyond beyond = Linearity::Beyond::warped) const {
    GreenSettings settings = settings_for({ControlState::held, driven});
    settings.linearity.beyond = beyond;
    const table::Value value = table::value_of(green_settings_table().write(settings),
                                               {std::make_shared<const table::File>(), 0, 0});
    const TensorFile tensors(bytes, "test");
    return GreenWarpedEngine::model({tensors, "bar/", value, {}, 1e-3, true});
  }
  // The end goes along an arc of the whole length.
  AffineMotion bent(double angle) const {
    const Vector3d o = functions.centres.col(1), first = functions.centres.col(0);
    const double arm = (o - first)[0];
    const Vector3d at =
        first + arm * Vector3d(std::sin(angle) / angle, (1 - std::cos(angle)) / angle, 0);
    const Matrix3d R = rotation_by({0, 0, angle}).toRotationMatrix();
    AffineMotion m{};
    for (int i = 0; i < 3; ++i) {
      m[static_cast<std::size_t>(i)] = (at - o)[i];
      for (int j = 0; j < 3; ++j) {
        m[static_cast<std::size_t>(3 + 3 * i + j)] = R(i, j) - (i == j ? 1 : 0);
      }
    }
    return m;
  }
  // All nodes, by Newton's method from an arc.
  Matrix3Xd full(double angle) const {
    const VolumeMesh& mesh = large.mesh();
    std::vector<int> fixed = controls[0].items;
    fixed.insert(fixed.end(), controls[1].items.begin(), controls[1].items.end());
    const fem::Constraints constraints(mesh, fixed);
    VectorXd u = VectorXd::Zero(large.dof());
    const int steps = 12;
    for (int step = 1; step <= steps; ++step) {
      const double now = angle * step / steps;
      const AffineMotion m = bent(now);
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> M(m.data() + 3);
      for (const int v : controls[1].items) {
        u.segment<3>(3 * v) =
            Eigen::Map<const Vector3d>(m.data()) + M * (mesh.V.col(v) - functions.centres.col(1));
      }
      for (int k = 0; k < 30; ++k) {
        const VectorXd r = constraints.restrict_force(large.force(u));
        const VectorXd du = Cholesky(constraints.reduce(large.tangent(u))).solve(r);
        u -= constraints.expand_direction(du);
        if (du.norm() < 1e-10) break;
      }
    }
    return mesh.V + u.reshaped(3, mesh.vertex_count());
  }
};
const Bar& bar() {
  static const Bar own;
  return own;
}

Matrix3Xd shown(const GreenWarpedModel& model, const GreenWarpedState& state) {
  Motion motion(GreenWarpedEngine::size(model));
  GreenWarpedEngine::motion(model, state, motion);
  const Matrix3Xd X = bar().linear.mesh().V +
                      motion.c.cast<double>().reshaped(3, bar().linear.mesh().vertex_count());
  return (motion.pose.rotation.toRotationMatrix() * X).colwise() + motion.pose.position;
}
// Of GreenEngine: not warped.
Matrix3Xd shown_linear(double angle) {
  const GreenWarpedModel model = bar().model(Linearity::Beyond::warned);
  GreenState s = GreenEngine::state(model.green, {});
  EXPECT_TRUE(GreenEngine::set_control(model.green, s, 1, bar().bent(angle)));
  GreenEngine::step(model.green, Load(GreenEngine::size(model.green), true), s);
  Motion motion(GreenEngine::size(model.green));
  GreenEngine::motion(model.green, s, motion);
  const VectorXd u = bar().functions.U * s.c;
  const Matrix3Xd X = bar().linear.mesh().V + u.reshaped(3, bar().linear.mesh().vertex_count());
  return (motion.pose.rotation.toRotationMatrix() * X).colwise() + motion.pose.position;
}

TEST(GreenWarpedEngine, ABentBarIsNearTheFullSolution) {
  const double angle = 1.2;
  const GreenWarpedModel model = bar().model();
  GreenWarpedState state = GreenWarpedEngine::state(model, {});
  ASSERT_TRUE(GreenWarpedEngine::set_control(model, state, 1, bar().bent(angle)));
  const Load load(GreenWarpedEngine::size(model), false);
  GreenWarpedEngine::step(model, load, state);
  const Matrix3Xd full = bar().full(angle);
  const double warped = (shown(model, state) - full).colwise().norm().maxCoeff();
  const double linear = (shown_linear(angle) - full).colwise().norm().maxCoeff();
  EXPECT_LT(warped, 0.02 * length);
  // A bar bent to an arc comes nearer to itself by the second order of the angle. Of that the linear
  // solution lacks all, and J(w) v half: it turns each place by the mean of the way there, as if the bar
  // had bent evenly from rest, so that along the bar it is off by a^3 / 12 where the other is by a^3 / 6.
  EXPECT_LT(warped, 0.6 * linear);
  // The element is where it was put.
  const ControlView view = [&] {
    ControlView out;
    GreenWarpedEngine::control(model, state, 1, out);
    return out;
  }();
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(view.motion[i], bar().bent(angle)[i], 1e-9) << i;
  }
  // Bent by a moment: E I / R.
  const double inertia = std::pow(side, 4) / 12;
  const double moment = 1e6 * inertia * angle / (length - 2 * grip);
  EXPECT_NEAR(view.torque[2], moment, 0.2 * moment);
}

TEST(GreenWarpedEngine, ACommonRotationIsRigid) {
  const GreenWarpedModel model = [&] {
    GreenSettings settings = settings_for({driven, driven});
    settings.linearity.beyond = Linearity::Beyond::warped;
    const table::Value value = table::value_of(green_settings_table().write(settings),
                                               {std::make_shared<const table::File>(), 0, 0});
    const TensorFile tensors(bar().bytes, "test");
    return GreenWarpedEngine::model({tensors, "bar/", value, {}, 1e-3, true});
  }();
  GreenWarpedState state = GreenWarpedEngine::state(model, {});
  const Matrix3d R = rotation_by({1.5, -0.7, 0.4}).toRotationMatrix();
  for (int e = 0; e < 2; ++e) {
    const Vector3d o = bar().functions.centres.col(e);
    AffineMotion m{};
    Eigen::Map<Vector3d>(m.data()) = R * o - o;
    for (int i = 0; i < 9; ++i) {
      m[static_cast<std::size_t>(3 + i)] = R(i / 3, i % 3) - (i % 4 == 0 ? 1 : 0);
    }
    ASSERT_TRUE(GreenWarpedEngine::set_control(model, state, e, m));
  }
  EXPECT_EQ(GreenWarpedEngine::step(model, Load(GreenWarpedEngine::size(model), false), state),
            StepStatus::ok);
  EXPECT_LT((shown(model, state) - R * bar().linear.mesh().V).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(GreenWarpedEngine, GoesOnWithoutAJumpAndComesBack) {
  const GreenWarpedModel model = bar().model();
  GreenWarpedState state = GreenWarpedEngine::state(model, {});
  const Load load(GreenWarpedEngine::size(model), false);
  Matrix3Xd before = shown(model, state);
  const double step = 0.01;
  for (double angle = step; angle < 2.5; angle += step) {
    ASSERT_TRUE(GreenWarpedEngine::set_control(model, state, 1, bar().bent(angle)));
    GreenWarpedEngine::step(model, load, state);
    const Matrix3Xd now = shown(model, state);
    EXPECT_LT((now - before).colwise().norm().maxCoeff(), 2 * step * length) << angle;
    before = now;
  }
  GreenWarpedEngine::reset(model, state);
  EXPECT_LT((shown(model, state) - bar().linear.mesh().V).norm(), 1e-9);
}

// A pull at a touched node bends it as the same body that is not warped, where all is small; and a step
// allocates nothing.
TEST(GreenWarpedEngine, SmallForcesAndGravityAreThoseOfTheLinearEngine) {
  const GreenWarpedModel model = bar().model();
  GreenWarpedState state = GreenWarpedEngine::state(model, {});
  Load load(GreenWarpedEngine::size(model), false);
  const int node = bar().functions.touched.front();
  const Vector3d f(0.1, -0.2, 0.3), g(0, -0.1, 0);
  load.Q.segment<3>(3 * node) = f;
  load.force = f;
  Motion motion(GreenWarpedEngine::size(model));
  GreenWarpedEngine::add_gravity(model, motion, g, load);
  const AllocationCounter counter;
  GreenWarpedEngine::step(model, load, state);
  if (AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  GreenState linear = GreenEngine::state(model.green, {});
  Load reduced(GreenEngine::size(model.green), true);
  reduced.Q =
      bar().functions.U.middleRows<3>(3 * node).transpose() * f + bar().functions.gravity * g;
  GreenEngine::step(model.green, reduced, linear);
  EXPECT_LT((state.green.c - linear.c).norm(), 1e-5 * linear.c.norm());
  Load other(GreenWarpedEngine::size(model), false);
  other.Q.segment<3>(3 * node) = f;
  EXPECT_GT(GreenWarpedEngine::mobility(model, motion, other), 0);
}

}  // namespace
}  // namespace pliant::test
