// SPDX-License-Identifier: MIT
#include "pliant/green/green_engine.hpp"

#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "green/green_bodies.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/world/engine.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

static_assert(Engine<GreenEngine>);
static_assert(MovesControls<GreenEngine> && HasControls<GreenEngine> && TellsEdits<GreenEngine>);
static_assert(!EditsMaterial<GreenEngine> && !TakesPose<GreenEngine>);

using enum ControlState;

struct Tube {
  fem::ElasticModel model = rubber(small_tube());
  std::vector<NamedSet> controls = controls_of(model.mesh());
  GreenFunctions functions = green_functions(model, {}, controls, 4);
};
const Tube& body() {
  static const Tube t;
  return t;
}
GreenModel green(std::vector<ControlState> states) {
  return GreenInput(body().functions, settings_for(std::move(states))).model();
}

AffineMotion motion_of(const Vector3d& T, const Matrix3d& A) {
  AffineMotion m{};
  for (int i = 0; i < 3; ++i) {
    m[static_cast<std::size_t>(i)] = T[i];
    for (int j = 0; j < 3; ++j) {
      m[static_cast<std::size_t>(3 + 3 * i + j)] = A(i, j) - (i == j ? 1 : 0);
    }
  }
  return m;
}
AffineMotion random_motion(Random& random, double size) {
  AffineMotion m;
  for (double& x : m) x = random.uniform(-size, size);
  return m;
}
// Of the rotation of the whole body about the origin, moved by t.
AffineMotion turned(const Matrix3d& R, const Vector3d& t, const Vector3d& o) {
  return motion_of(R * o + t - o, R);
}

Matrix3Xd positions(const GreenModel& model, const GreenState& state) {
  Motion motion(GreenEngine::size(model));
  GreenEngine::motion(model, state, motion);
  const VectorXd u = body().functions.U * state.c;
  const Matrix3Xd X =
      body().model.mesh().V + Eigen::Map<const Matrix3Xd>(u.data(), 3, u.size() / 3);
  return (motion.pose.rotation.toRotationMatrix() * X).colwise() + motion.pose.position;
}

// Both control elements turned by the same large rotation: rigid to 1e-12.
TEST(GreenEngine, ACommonRotationIsRigid) {
  const GreenModel model = green({driven, driven});
  GreenState state = GreenEngine::state(model, {});
  const Matrix3d R = Eigen::AngleAxisd(2.5, Vector3d(1, 2, -1).normalized()).matrix();
  const Vector3d t(0.3, -0.2, 0.1);
  for (int e = 0; e < 2; ++e) {
    ASSERT_TRUE(GreenEngine::set_control(model, state, e, turned(R, t, model.centres.col(e))));
  }
  EXPECT_EQ(GreenEngine::step(model, no_load(model), state), StepStatus::ok);
  EXPECT_LT(state.c.lpNorm<Eigen::Infinity>(), 1e-14);
  const Matrix3Xd expected = (R * body().model.mesh().V).colwise() + t;
  EXPECT_LT((positions(model, state) - expected).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(GreenEngine::energy(model, state).elastic, 1e-20);
}

// Rotations by half a turn against each other have no average.
TEST(GreenEngine, RefusesMotionsWithoutAnAverage) {
  const GreenModel model = green({driven, driven});
  GreenState state = GreenEngine::state(model, {});
  const Matrix3d half = Eigen::AngleAxisd(std::numbers::pi, Vector3d::UnitX()).matrix();
  EXPECT_FALSE(GreenEngine::set_control(model, state, 1, motion_of({0, 0, 0}, half)));
  const Matrix3d flat = Vector3d(1, 1, 0).asDiagonal(), mirrored = Vector3d(1, 1, -1).asDiagonal();
  EXPECT_FALSE(GreenEngine::set_control(model, state, 1, motion_of({0, 0, 0}, flat)));
  EXPECT_FALSE(GreenEngine::set_control(model, state, 1, motion_of({0, 0, 0}, mirrored)));
  EXPECT_FALSE(GreenEngine::set_control(model, state, 2, {}));
  EXPECT_FALSE(GreenEngine::set_control(model, state, -1, {}));
  EXPECT_EQ(GreenEngine::step(model, no_load(model), state), StepStatus::ok);
  EXPECT_EQ(state.c.norm(), 0);
}

// The order of axes does not matter: the average of two turns about one axis is the mean angle.
TEST(GreenEngine, TheAverageRotationIsTheNearest) {
  const GreenModel model = green({driven, driven});
  for (const Vector3d& axis : {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(1, -2, 0.5)}) {
    const Vector3d n = axis.normalized();
    std::vector<AffineMotion> motions;
    for (const double angle : {0.2, 1.0}) {
      motions.push_back(motion_of({0, 0, 0}, Eigen::AngleAxisd(angle, n).matrix()));
    }
    WholeMotion whole;
    ASSERT_TRUE(average_motion(motions, model.states, model.centres, whole));
    EXPECT_LT((whole.R - Eigen::AngleAxisd(0.6, n).matrix()).norm(), 1e-14);
    for (std::size_t e = 0; e < 2; ++e) {
      const Vector3d o = model.centres.col(static_cast<Index>(e));
      const AffineMotion back = with(whole, without(whole, motions[e], o), o);
      for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(back[i], motions[e][i], 1e-14);
    }
  }
}

// Nodes of the elements are exactly where their affine motions put them.
TEST(GreenEngine, ElementsGoWhereTheyAreTold) {
  const GreenModel model = green({driven, driven});
  GreenState state = GreenEngine::state(model, {});
  Random random(3);
  std::vector<AffineMotion> motions;
  for (int e = 0; e < 2; ++e) {
    motions.push_back(random_motion(random, 0.2));
    ASSERT_TRUE(GreenEngine::set_control(model, state, e, motions.back()));
  }
  GreenEngine::step(model, no_load(model), state);
  const Matrix3Xd x = positions(model, state);
  for (std::size_t e = 0; e < 2; ++e) {
    const Vector3d o = model.centres.col(static_cast<Index>(e));
    const Eigen::Map<const Vector3d> T(motions[e].data());
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> M(motions[e].data() + 3);
    for (const int v : body().controls[e].items) {
      const Vector3d X = body().model.mesh().V.col(v);
      EXPECT_LT((x.col(v) - X - T - M * (X - o)).norm(), 1e-14);
    }
    ControlView view;
    GreenEngine::control(model, state, static_cast<int>(e), view);
    EXPECT_TRUE(view.driven);
    EXPECT_LT((view.centre - o - T).norm(), 1e-14);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(view.motion[i], motions[e][i], 1e-14);
  }
}

// With fixed nodes nothing turns as a whole, and shapes add up exactly.
TEST(GreenEngine, SolutionsAddUp) {
  const auto model_of = rubber(small_tube());
  std::vector<NamedSet> controls = controls_of(model_of.mesh());
  const std::vector<int> fixed = controls[0].items;
  controls.erase(controls.begin());
  const GreenFunctions f = green_functions(model_of, fixed, controls, 4);
  const GreenModel model = GreenInput(f, settings_for({driven}), false).model();
  Random random(5);
  const auto shape = [&](const AffineMotion& m, const Load& load) {
    GreenState state = GreenEngine::state(model, {});
    EXPECT_TRUE(GreenEngine::set_control(model, state, 0, m));
    EXPECT_EQ(GreenEngine::step(model, load, state), StepStatus::ok);
    return VectorXd(f.U * state.c);
  };
  AffineMotion a = random_motion(random, 0.1), b = random_motion(random, 0.1), sum;
  Load one = no_load(model), two = no_load(model), both = no_load(model);
  for (Index i = 0; i < one.Q.size(); ++i) {
    one.Q[i] = random.uniform(-1, 1);
    two.Q[i] = random.uniform(-1, 1);
  }
  both.Q = one.Q + two.Q;
  for (std::size_t i = 0; i < 12; ++i) sum[i] = a[i] + b[i];
  const VectorXd together = shape(sum, both), apart = shape(a, one) + shape(b, two);
  EXPECT_LT((together - apart).norm(), 1e-12 * together.norm());
}

// The body hangs in gravity the same way however it is turned: R x(R^T g).
TEST(GreenEngine, GravityIsTurnedAgainstTheBody) {
  const GreenModel model = green({driven, driven});
  const Matrix3d R = Eigen::AngleAxisd(1.2, Vector3d(0.3, -1, 0.6).normalized()).matrix();
  const auto hang = [&](const Matrix3d& turn, const Vector3d& g) {
    GreenState state = GreenEngine::state(model, {});
    for (int e = 0; e < 2; ++e) {
      GreenEngine::set_control(model, state, e, turned(turn, {0, 0, 0}, model.centres.col(e)));
    }
    Motion motion(GreenEngine::size(model));
    for (int step = 0; step < 2; ++step) {
      GreenEngine::motion(model, state, motion);
      Load load = no_load(model);
      GreenEngine::add_gravity(model, motion, g, load);
      EXPECT_EQ(GreenEngine::step(model, load, state), StepStatus::ok);
    }
    return positions(model, state);
  };
  const Vector3d g(0, -9.81, 0);
  const Matrix3Xd down = hang(Matrix3d::Identity(), R.transpose() * g);
  const Matrix3Xd other = hang(R, g);
  EXPECT_GT((down - body().model.mesh().V).norm(), 1e-4);
  EXPECT_LT((other - R * down).cwiseAbs().maxCoeff(), 1e-12);
}

// Reactions carry the weight and all forces, with their torque.
TEST(GreenEngine, WrenchesOfTheElementsBalanceTheBody) {
  const GreenModel model = green({held, driven});
  const Pose pose{{1, 2, 3}, Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d::UnitZ()))};
  GreenState state = GreenEngine::state(model, pose);
  Motion motion(GreenEngine::size(model));
  GreenEngine::motion(model, state, motion);
  const Vector3d g(1, -9.81, 2);
  Load load = no_load(model);
  GreenEngine::add_gravity(model, motion, g, load);
  GreenEngine::step(model, load, state);
  ControlView a, b;
  GreenEngine::control(model, state, 0, a);
  GreenEngine::control(model, state, 1, b);
  EXPECT_FALSE(a.driven);
  const VectorXd mass = fem::gravity_load(body().model, Vector3d::UnitX());
  double total = 0;
  Vector3d moment = Vector3d::Zero();
  for (Index v = 0; v < mass.size() / 3; ++v) {
    total += mass[3 * v];
    moment += mass[3 * v] * pose.to_world(body().model.mesh().V.col(v));
  }
  EXPECT_LT((a.force + b.force + total * g).norm(), 1e-10 * total * g.norm());
  // About the world's origin. The weight acts at rest positions: small deformations.
  const Vector3d torque = a.torque + b.torque + pose.to_world(model.centres.col(0)).cross(a.force) +
                          pose.to_world(model.centres.col(1)).cross(b.force) + moment.cross(g);
  EXPECT_LT(torque.norm(), 1e-10 * moment.cross(g).norm());
}

// The force on a driven element is the slope of the energy.
TEST(GreenEngine, TheForceIsTheSlopeOfTheEnergy) {
  const GreenModel model = green({held, driven});
  GreenState state = GreenEngine::state(model, {});
  const auto energy_at = [&](double x, ControlView& view) {
    GreenEngine::set_control(model, state, 1, motion_of({x, 0, 0}, Matrix3d::Identity()));
    GreenEngine::step(model, no_load(model), state);
    GreenEngine::control(model, state, 1, view);
    return GreenEngine::energy(model, state).elastic;
  };
  ControlView low, high, middle;
  const double x = 0.01, h = 1e-4;
  const double slope = (energy_at(x + h, high) - energy_at(x - h, low)) / (2 * h);
  energy_at(x, middle);
  EXPECT_NEAR(middle.force[0], slope, 1e-9 * slope);
  EXPECT_GT(slope, 0);
}

// A free element is where nothing pulls at any of its twelve numbers.
TEST(GreenEngine, AFreeElementIsInEquilibrium) {
  const GreenModel model = green({driven, free});
  GreenState state = GreenEngine::state(model, {});
  Motion motion(GreenEngine::size(model));
  GreenEngine::motion(model, state, motion);
  Load load = no_load(model);
  GreenEngine::add_gravity(model, motion, {0, -9.81, 0}, load);
  EXPECT_EQ(GreenEngine::step(model, load, state), StepStatus::ok);
  ControlView carries, hangs;
  GreenEngine::control(model, state, 0, carries);
  GreenEngine::control(model, state, 1, hangs);
  EXPECT_LT(hangs.motion[1], -1e-4);  // it sags
  EXPECT_LT(hangs.force.norm(), 1e-9 * carries.force.norm());
  EXPECT_LT(hangs.torque.norm(), 1e-9 * carries.torque.norm());
  EXPECT_FALSE(hangs.driven);
  EXPECT_FALSE(GreenEngine::set_control(model, state, 1, {}));
  expect_error([&] { green({free, free}); }, "nothing holds the body");
}

// A spring at a point is taken implicitly: at rest in one step, however stiff it is.
TEST(GreenEngine, TakesTheTangentOfALoad) {
  const GreenModel model = green({held, held});
  GreenState state = GreenEngine::state(model, {});
  const int node = body().functions.touched.front();
  const Eigen::MatrixXd Us = body().functions.U.middleRows<3>(3 * node);
  const double k = 1e7;
  const Vector3d target(0.01, 0.02, -0.01);
  for (int step = 0; step < 3; ++step) {
    Load load = no_load(model);
    const Vector3d at = Us * state.c;
    load.Q = Us.transpose() * (k * (target - at));
    load.tangent.used = true;
    load.tangent.K.bottomRightCorner(Us.cols(), Us.cols()) = k * Us.transpose() * Us;
    EXPECT_EQ(GreenEngine::step(model, load, state), StepStatus::ok);
    const Vector3d now = Us * state.c, expected = [&] {
      const Index n = Us.cols() - 24;
      const MatrixXd K = model.K.bottomRightCorner(n, n), S = Us.rightCols(n);
      return Vector3d(S * (K + k * S.transpose() * S).ldlt().solve(k * S.transpose() * target));
    }();
    EXPECT_LT((now - expected).norm(), 1e-9 * target.norm()) << step;
  }
}

TEST(GreenEngine, BlocksOrWarnsBeyondItsLimits) {
  for (const auto beyond : {Linearity::Beyond::blocked, Linearity::Beyond::warned}) {
    GreenSettings settings = settings_for({held, driven});
    settings.linearity = {beyond, 0.05, 0.2, 20};
    const GreenModel model = GreenInput(body().functions, settings).model();
    const bool blocked = beyond == Linearity::Beyond::blocked;
    const auto status_of = [&](const AffineMotion& m) {
      GreenState state = GreenEngine::state(model, {});
      EXPECT_TRUE(GreenEngine::set_control(model, state, 1, m));
      const StepStatus status = GreenEngine::step(model, no_load(model), state);
      EXPECT_EQ(state.c.isZero(0.0), blocked && status != StepStatus::ok);
      // And back.
      EXPECT_TRUE(GreenEngine::set_control(model, state, 1, {}));
      EXPECT_EQ(GreenEngine::step(model, no_load(model), state), StepStatus::ok);
      return status;
    };
    const StepStatus limited = blocked ? StepStatus::limited : StepStatus::ok;
    EXPECT_EQ(status_of(motion_of({0.005, 0, 0}, Matrix3d::Identity())), StepStatus::ok);
    EXPECT_TRUE(has(status_of(motion_of({0.05, 0, 0}, Matrix3d::Identity())),
                    StepStatus::beyond_strain | limited));
    // Half of it is taken out with the average.
    EXPECT_TRUE(
        has(status_of(motion_of({0.3, 0, 0}, Matrix3d::Identity())), StepStatus::beyond_stretch));
    const auto turn = [](double degrees) {
      return motion_of(
          {0, 0, 0},
          Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vector3d::UnitX()).matrix());
    };
    EXPECT_TRUE(has(status_of(turn(42)), StepStatus::beyond_angle));
    EXPECT_FALSE(has(status_of(turn(38)), StepStatus::beyond_angle));
  }
  GreenSettings far = settings_for({held, driven});
  far.linearity = {Linearity::Beyond::blocked, 1e3, 0.2, 180};
  far.controls[1].start.translation = {0.5, 0, 0};
  expect_error([&] { GreenInput(body().functions, far).model(); }, "beyond the limit of stretch");
}

TEST(GreenEngine, AStepAllocatesNothing) {
  if (!AllocationCounter::can_count()) GTEST_SKIP() << "a sanitizer owns malloc";
  const GreenModel model = green({driven, free});
  GreenState state = GreenEngine::state(model, {});
  Motion motion(GreenEngine::size(model));
  Load load = no_load(model);
  load.tangent.K.diagonal().setConstant(1.0);
  load.tangent.D.diagonal().setConstant(1e-3);
  ControlView view;
  const AffineMotion move = motion_of({0.01, 0, 0}, Matrix3d::Identity());
  const AllocationCounter counter;
  for (int step = 0; step < 4; ++step) {
    load.tangent.used = step % 2 == 1;
    GreenEngine::set_control(model, state, 0, move);
    GreenEngine::add_gravity(model, motion, {0, -9.81, 0}, load);
    GreenEngine::step(model, load, state);
    GreenEngine::motion(model, state, motion);
    GreenEngine::control(model, state, 1, view);
    GreenEngine::energy(model, state);
    GreenEngine::mobility(model, motion, load);
  }
  EXPECT_EQ(counter.count(), 0);
}

TEST(GreenEngine, ResetsToItsStart) {
  GreenSettings settings = settings_for({held, driven});
  settings.controls[1].start.translation = {0.02, 0.01, 0};
  settings.controls[1].start.scale = {1, 1.2, 1.2};
  const GreenModel model = GreenInput(body().functions, settings).model();
  GreenState state = GreenEngine::state(model, {});
  const VectorXd start = state.c;
  EXPECT_GT(start.norm(), 0.01);
  GreenEngine::set_control(model, state, 1, {});
  GreenEngine::step(model, no_load(model), state);
  EXPECT_NE(state.c, start);
  GreenEngine::reset(model, state);
  EXPECT_EQ(state.c, start);
  ControlView view;
  GreenEngine::control(model, state, 1, view);
  EXPECT_NEAR(view.motion[0], 0.02, 1e-15);
  EXPECT_NEAR(view.motion[7], 0.2, 1e-15);  // M_22
}

TEST(GreenEngine, LoadsThatAreNotFiniteChangeNothing) {
  const GreenModel model = green({held, driven});
  GreenState state = GreenEngine::state(model, {});
  Load load = no_load(model);
  load.Q[30] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(GreenEngine::step(model, load, state), StepStatus::not_finite);
  EXPECT_TRUE(state.c.isZero(0.0));
}

}  // namespace
}  // namespace pliant::test
