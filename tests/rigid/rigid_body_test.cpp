// SPDX-License-Identifier: MIT
#include "pliant/rigid/rigid_body.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "rigid/bodies.hpp"

namespace pliant::test {
namespace {

using Eigen::Quaterniond;

const Vector3d gravity(0, -9.81, 0);

Load no_load() {
  return Load(0, true);
}

// Euler's equations by Runge and Kutta's scheme of fourth order: an independent reference.
struct Reference {
  Matrix3d I;
  Quaterniond R;
  Vector3d W;  // in the frame

  // torque: of R, in the frame
  template <class Torque>
  void advance(double duration, int steps, const Torque& torque) {
    const double h = duration / steps;
    using Vector7d = Eigen::Matrix<double, 7, 1>;
    const auto rate = [&](const Vector7d& y) {
      const Quaterniond q(y[0], y[1], y[2], y[3]);
      const Vector3d w = y.tail<3>();
      const Quaterniond dq = q * Quaterniond(0, w[0], w[1], w[2]);
      Vector7d d;
      d << 0.5 * dq.w(), 0.5 * dq.vec(), I.inverse() * (torque(q) - w.cross(I * w));
      return d;
    };
    Vector7d y;
    y << R.w(), R.vec(), W;
    for (int i = 0; i < steps; ++i) {
      const Vector7d k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2),
                     k4 = rate(y + h * k3);
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    R = Quaterniond(y[0], y[1], y[2], y[3]).normalized();
    W = y.tail<3>();
  }
};

TEST(RigidBody, FlightWithoutLoadKeepsMomentaAndEnergy) {
  const RigidModel model = brick();
  RigidState state(model, tilted());
  set_velocities(model, {1, 2, 3}, {5, -30, 10}, state);
  const RigidState first = state;
  const Load load = no_load();
  const int steps = 100'000;
  for (int i = 0; i < steps; ++i) ASSERT_EQ(step(model, load, state), StepStatus::ok) << i;
  EXPECT_EQ(state.velocity, first.velocity);
  EXPECT_EQ(state.angular_momentum, first.angular_momentum);
  const Vector3d way = steps * dt * first.velocity;
  EXPECT_LT((state.centre - first.centre - way).norm(), 1e-10 * way.norm());
  const double energy = kinetic(model, first);
  EXPECT_NEAR(kinetic(model, state), energy, 1e-10 * energy);
  // The velocities are those of the momenta.
  const Quaterniond& R = state.pose.rotation;
  const Vector3d L = R * (model.inertia * (R.conjugate() * state.angular_velocity));
  EXPECT_LT((L - first.angular_momentum).norm(), 1e-12 * L.norm());
}

// At a rate of 1 kHz the last ones turn by several rad a step, about an axis that wobbles.
TEST(RigidBody, KeepsTheEnergyOfAnySpin) {
  for (const double spin : {0.0, 1e-6, 100.0, 2000.0, 15000.0}) {
    const RigidModel model = brick();
    RigidState state(model, tilted());
    set_velocities(model, Vector3d::Zero(), spin * Vector3d(0.3, 0.8, -0.5).normalized(), state);
    const double energy = kinetic(model, state);
    const Load load = no_load();
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(step(model, load, state), StepStatus::ok) << spin;
    EXPECT_NEAR(kinetic(model, state), energy, 1e-10 * energy) << spin;
  }
}

// So fast that its rotation cannot be followed: it says so, and stays as fast as it was.
TEST(RigidBody, StaysBoundedAtASpinThatNoStepCanFollow) {
  const RigidModel model = brick();
  RigidState state(model, tilted());
  set_velocities(model, Vector3d::Zero(), 1e7 * Vector3d(0.3, 0.8, -0.5).normalized(), state);
  const Vector3d L = state.angular_momentum;
  StepStatus status = StepStatus::ok;
  for (int i = 0; i < 1000; ++i) status |= step(model, no_load(), state);
  EXPECT_TRUE(has(status, StepStatus::not_converged));
  EXPECT_EQ(state.angular_momentum, L);
  const double least = model.inertia.diagonal().minCoeff();
  EXPECT_LE(state.angular_velocity.norm(), (1 + 1e-9) * L.norm() / least);
}

// A spin about the middle axis turns over, again and again (Dzhanibekov).
TEST(RigidBody, TurnsOverAboutItsMiddleAxisAsTheReference) {
  // I grows from z to x: y is the middle axis.
  const Vector3d W(0.02, 12, -0.01);
  const double duration = 2.0;
  const auto error = [&](double step_size, int& flips) {
    const RigidModel model = brick({}, step_size);
    RigidState state(model, tilted());
    set_velocities(model, Vector3d::Zero(), state.pose.rotation * W, state);
    Reference reference{model.inertia, state.pose.rotation, W};
    const Load load = no_load();
    const int samples = 20;
    double worst = 0.0, before = W[1];
    flips = 0;
    for (int sample = 0; sample < samples; ++sample) {
      const int steps = static_cast<int>(std::lround(duration / samples / step_size));
      for (int i = 0; i < steps; ++i) EXPECT_EQ(step(model, load, state), StepStatus::ok);
      reference.advance(duration / samples, 4000,
                        [](const Quaterniond&) -> Vector3d { return Vector3d::Zero(); });
      const Vector3d w = state.pose.rotation.conjugate() * state.angular_velocity;
      worst = std::max(worst, (w - reference.W).norm() / W.norm());
      worst = std::max(worst, state.pose.rotation.angularDistance(reference.R));
      if (w[1] * before < 0) ++flips;
      before = w[1];
    }
    return worst;
  };
  int flips = 0;
  const double coarse = error(1e-3, flips), fine = error(5e-4, flips);
  EXPECT_GE(flips, 1);
  EXPECT_LT(coarse, 5e-3);
  EXPECT_NEAR(coarse / fine, 4.0, 0.4);  // second order
}

// A gyroscope held at its centre, with a weight on its axis: steady precession Omega about the
// vertical, I1 cos(theta) Omega^2 - L3 Omega + tau = 0 with tau = m g h, L3 = I3 (spin + Omega
// cos).
TEST(RigidBody, PrecessesAsAGyroscope) {
  RigidSettings settings{.motion = RigidMotion::free, .density = 1000};
  RigidInertia disc{1e-3, Vector3d::Zero(), Matrix3d::Zero()};
  disc.inertia.diagonal() << 1e-6, 1e-6, 1.8e-6;
  const RigidModel model(settings, disc, dt);
  const double theta = 1.0, tau = 0.05, spin = 300.0;  // rad, N m, rad/s of the axis frame
  const double I1 = model.inertia(0, 0), I3 = model.inertia(2, 2);
  // With n = w . axis: I1 cos Omega^2 - I3 n Omega + tau = 0, the slow root.
  const double n = spin, b = I3 * n, ac = 4 * I1 * std::cos(theta) * tau;
  const double omega = (b - std::sqrt(b * b - ac)) / (2 * I1 * std::cos(theta));
  RigidState state(model, {Vector3d::Zero(), rotation_by(Vector3d(theta, 0, 0))});
  const Vector3d axis = state.pose.rotation * Vector3d::UnitZ();
  const Vector3d w = omega * Vector3d::UnitZ() + (n - omega * std::cos(theta)) * axis;
  set_velocities(model, Vector3d::Zero(), w, state);

  const double duration = std::numbers::pi / omega;  // half a turn of the precession
  const int steps = static_cast<int>(duration / dt);
  double tilt = 0.0;
  for (int i = 0; i < steps; ++i) {
    Load load = no_load();
    const Vector3d e = state.pose.rotation * Vector3d::UnitZ();
    load.torque = tau * e.cross(-Vector3d::UnitZ());
    ASSERT_EQ(step(model, load, state), StepStatus::ok);
    const Vector3d now = state.pose.rotation * Vector3d::UnitZ();
    tilt = std::max(tilt, std::abs(std::acos(now[2]) - theta));
  }
  const Vector3d end = state.pose.rotation * Vector3d::UnitZ();
  const double turned = std::remainder(std::atan2(end[1], end[0]) - std::atan2(axis[1], axis[0]),
                                       2 * std::numbers::pi);
  const double expected = std::remainder(omega * steps * dt, 2 * std::numbers::pi);
  EXPECT_NEAR(std::abs(turned), std::abs(expected), 2e-3);
  EXPECT_LT(tilt, 2e-3);
}

TEST(RigidBody, FallsAsAStone) {
  const RigidModel model = brick();
  RigidState state(model, tilted());
  set_velocities(model, {1, 0, 0}, {3, 4, 5}, state);
  const Vector3d start = state.centre, L = state.angular_momentum;
  for (int i = 1; i <= 2000; ++i) {
    Load load = no_load();
    RigidEngine::add_gravity(model, test::seen(model, state), gravity, load);
    ASSERT_EQ(step(model, load, state), StepStatus::ok);
    const double t = i * dt;
    const Vector3d expected = start + t * Vector3d(1, 0, 0) + 0.5 * t * t * gravity;
    ASSERT_LT((state.centre - expected).norm(), 1e-11) << t;
    // Its weight acts at the centre: no torque.
    ASSERT_LT((state.angular_momentum - L).norm(), 1e-12 * L.norm());
  }
}

TEST(RigidBody, SlowsDownByItsDampingAlone) {
  const double alpha = 3.0, beta = 7.0;
  const RigidModel model = brick({.damping = alpha, .angular_damping = beta});
  RigidState state(model, tilted());
  set_velocities(model, {1, 2, 3}, {5, -3, 1}, state);
  const Vector3d v = state.velocity, L = state.angular_momentum;
  for (int i = 0; i < 500; ++i) step(model, no_load(), state);
  EXPECT_LT((state.velocity - std::exp(-0.5 * alpha) * v).norm(), 1e-12);
  EXPECT_LT((state.angular_momentum - std::exp(-0.5 * beta) * L).norm(), 1e-12 * L.norm());

  // A force is balanced at v = F / (alpha m), with a tangent or without.
  for (const bool tangent : {false, true}) {
    Load load = no_load();
    load.force = Vector3d(0, 2, 0);
    load.torque = (state.pose.rotation * model.centre).cross(load.force);
    load.tangent.used = tangent;
    for (int i = 0; i < 20'000; ++i) {
      load.torque = (state.pose.rotation * model.centre).cross(load.force);
      step(model, load, state);
    }
    EXPECT_NEAR(state.velocity[1], 2 / (alpha * model.mass), 1e-9) << tangent;
  }
}

TEST(RigidBody, TakesATorqueAboutItsOrigin) {
  const RigidModel model = brick();
  RigidState state(model, tilted());
  Load load = no_load();
  const Vector3d r = Vector3d(0.1, 0.2, -0.3);  // from the origin, in the world
  load.force = Vector3d(1, -2, 0.5);
  load.torque = r.cross(load.force);
  const Vector3d a = state.pose.rotation * model.centre;
  step(model, load, state);
  EXPECT_LT((state.velocity - dt / model.mass * load.force).norm(), 1e-15);
  EXPECT_LT((state.angular_momentum - dt * (r - a).cross(load.force)).norm(), 1e-16);
}

// The rule of the tangent: the load at the end is F - K dz - D dz'.
TEST(RigidBody, AStepWithATangentTakesTheLoadOfItsEnd) {
  const RigidModel model = brick();
  RigidState state(model, tilted());
  set_velocities(model, {0.1, 0.2, -0.1}, {0.03, -0.02, 0.01}, state);
  const Spring spring{{0.05, 0.1, -0.1}, state.pose.to_world({0.05, 0.1, -0.1}), 400.0, 3.0};
  Load load = no_load();
  load.force = Vector3d(3, 0, 0);
  spring.add(model, state, true, load);
  Motion before(0), after(0);
  RigidEngine::motion(model, state, before);
  RigidState twin = state;
  const Vector3d v = state.velocity, L = state.angular_momentum;
  ASSERT_EQ(step(model, load, state), StepStatus::ok);
  RigidEngine::motion(model, state, after);
  Eigen::Matrix<double, 6, 1> dz, rate, f;
  dz << after.pose.position - before.pose.position,
      rotation_vector(after.pose.rotation * before.pose.rotation.conjugate());
  rate << after.velocity - before.velocity, after.angular_velocity - before.angular_velocity;
  f << load.force, load.torque;
  f -= load.tangent.K * dz + load.tangent.D * rate;
  const Vector3d force = model.mass * (state.velocity - v) / dt;
  EXPECT_LT((force - f.head<3>()).norm(), 1e-4 * force.norm());
  const Vector3d a = before.pose.rotation * model.centre;
  const Vector3d torque = (state.angular_momentum - L) / dt;
  EXPECT_LT((torque - (f.tail<3>() - a.cross(f.head<3>()))).norm(), 1e-4 * torque.norm());

  // Of K and D the lower triangles count.
  for (MatrixXd* m : {&load.tangent.K, &load.tangent.D}) {
    m->triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  }
  ASSERT_EQ(step(model, load, twin), StepStatus::ok);
  EXPECT_EQ(twin.velocity, state.velocity);
  EXPECT_EQ(twin.angular_momentum, state.angular_momentum);
}

// 10^4 times stiffer than m / dt^2: without the tangent the first step would throw it away.
TEST(RigidBody, SettlesOnASpringThatIsFarTooStiffForTheStep) {
  const RigidModel model = brick();
  const double stiffness = 1e4 * model.mass / (dt * dt);
  RigidState state(model, tilted());
  const Vector3d X = model.centre;
  const Spring spring{X, state.pose.to_world(X) + Vector3d(0.01, 0, 0.02), stiffness};
  double energy = spring.energy(state) + kinetic(model, state);
  for (int i = 0; i < 100; ++i) {
    Load load = no_load();
    spring.add(model, state, true, load);
    ASSERT_EQ(step(model, load, state), StepStatus::ok);
    const double now = spring.energy(state) + kinetic(model, state);
    // The part below is rounding of the spring's force.
    ASSERT_LE(now, energy * (1 + 1e-9) + 1e-18 * stiffness) << i;
    energy = now;
  }
  EXPECT_LT(spring.stretch(state).norm(), 1e-9);
  EXPECT_LT(state.velocity.norm(), 1e-6);

  RigidState thrown(model, tilted());
  for (int i = 0; i < 5; ++i) {
    Load load = no_load();
    spring.add(model, thrown, false, load);
    step(model, load, thrown);
  }
  EXPECT_GT(spring.energy(thrown) + kinetic(model, thrown), 1e3 * spring.energy({model, tilted()}));
}

// A brick hangs from a corner in a pivot, swings and turns fast: however stiff the pivot is, its
// energy of motion and height does not grow, beyond what it sways by within a swing.
TEST(RigidBody, SwingsInAPivotWithoutGainingEnergy) {
  for (const double stiff : {1e-3, 1e-1, 1.0, 1e2, 1e4}) {
    for (const double spin : {0.0, 3.0, 30.0, 200.0}) {
      const RigidModel model = brick();
      RigidState state(model, tilted());
      const Vector3d X(0.05, 0.04, -0.05);
      const Spring pivot{X, state.pose.to_world(X), stiff * model.mass / (dt * dt)};
      const Vector3d w = spin * Vector3d(0.5, 0.2, -0.8);
      const Vector3d r = state.pose.rotation * (model.centre - X);
      set_velocities(model, w.cross(r), w, state);
      const auto energy = [&] {
        return kinetic(model, state) - model.mass * gravity.dot(state.centre - pivot.target);
      };
      const double first = energy();
      const double size = kinetic(model, state) + model.mass * gravity.norm() * r.norm();
      double most = first;
      for (int i = 0; i < 20'000; ++i) {
        Load load = no_load();
        RigidEngine::add_gravity(model, test::seen(model, state), gravity, load);
        pivot.add(model, state, true, load);
        ASSERT_EQ(step(model, load, state), StepStatus::ok);
        most = std::max(most, energy());
      }
      EXPECT_LT(most - first, 5e-3 * size) << stiff << ' ' << spin;
      // It is still there: at most a step's turn away.
      const double away = r.norm() * std::pow(dt * state.angular_velocity.norm(), 2);
      if (stiff < 1) continue;
      EXPECT_LT(pivot.stretch(state).norm(), 1e-4 + 2 * away) << stiff << ' ' << spin;
    }
  }
}

// As PrecessesAsAGyroscope, but standing on its tip, which a stiff spring holds.
TEST(RigidBody, PrecessesAsATopOnItsTip) {
  RigidInertia disc{1e-3, Vector3d(0, 0, 0.05), Matrix3d::Zero()};
  disc.inertia.diagonal() << 1e-6, 1e-6, 1.8e-6;
  const RigidModel model({.motion = RigidMotion::free, .density = 1000}, disc, dt);
  const double theta = 0.7, g = 9.81, h = 0.05, n = 250.0;
  const double I1 = model.inertia(0, 0) + model.mass * h * h, I3 = model.inertia(2, 2);
  const double b = I3 * n, tau = model.mass * g * h;
  const double omega =
      (b - std::sqrt(b * b - 4 * I1 * std::cos(theta) * tau)) / (2 * I1 * std::cos(theta));
  RigidState state(model, {Vector3d::Zero(), rotation_by(Vector3d(theta, 0, 0))});
  const Vector3d axis = state.pose.rotation * Vector3d::UnitZ();
  const Vector3d w = omega * Vector3d::UnitZ() + (n - omega * std::cos(theta)) * axis;
  set_velocities(model, w.cross(h * axis), w, state);
  const Spring tip{Vector3d::Zero(), Vector3d::Zero(), 100 * model.mass / (dt * dt)};
  const int steps = static_cast<int>(std::numbers::pi / 2 / omega / dt);
  for (int i = 0; i < steps; ++i) {
    Load load = no_load();
    RigidEngine::add_gravity(model, test::seen(model, state), {0, 0, -g}, load);
    tip.add(model, state, true, load);
    ASSERT_EQ(step(model, load, state), StepStatus::ok);
  }
  const Vector3d end = state.pose.rotation * Vector3d::UnitZ();
  const double turned = std::atan2(axis.cross(end)[2], axis.head<2>().dot(end.head<2>()));
  EXPECT_NEAR(turned, omega * steps * dt, 0.01 * omega * steps * dt);
  EXPECT_NEAR(std::acos(end[2]), theta, 0.01);
  EXPECT_LT(state.pose.position.norm(), 1e-5);
}

// A damped oscillator with w = 10 rad/s, which the step resolves: backward Euler's first order.
TEST(RigidBody, SwingsOnASoftSpringAsAnOscillator) {
  const auto error = [](double step_size) {
    const RigidModel model = brick({}, step_size);
    const double w = 10.0, zeta = 0.1;
    RigidState state(model, {});
    const Spring spring{model.centre, state.centre - Vector3d(0.1, 0, 0), model.mass * w * w,
                        2 * zeta * w * model.mass};
    const int steps = static_cast<int>(std::lround(0.8 / step_size));
    double worst = 0.0;
    for (int i = 1; i <= steps; ++i) {
      Load load = no_load();
      spring.add(model, state, true, load);
      EXPECT_EQ(step(model, load, state), StepStatus::ok);
      const double t = i * step_size, wd = w * std::sqrt(1 - zeta * zeta);
      const double x =
          0.1 * std::exp(-zeta * w * t) * (std::cos(wd * t) + zeta * w / wd * std::sin(wd * t));
      worst = std::max(worst, std::abs(spring.stretch(state)[0] - x));
    }
    return worst;
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_NEAR(coarse / fine, 2.0, 0.2);
}

TEST(RigidBody, LeavesOutATangentThatIsNotPositive) {
  const RigidModel model = brick();
  RigidState state(model, tilted()), other = state;
  Load load = no_load();
  load.force = Vector3d(1, 0, 0);
  EXPECT_EQ(step(model, load, other), StepStatus::ok);
  load.tangent.used = true;
  load.tangent.K.diagonal().setConstant(-1e3 * model.mass / (dt * dt));
  EXPECT_EQ(step(model, load, state), StepStatus::not_definite);
  EXPECT_EQ(state.velocity, other.velocity);
  EXPECT_EQ(state.pose.position, other.pose.position);
}

TEST(RigidBody, ALoadThatIsNotFiniteLeavesItAsItWas) {
  const RigidModel model = brick();
  for (const double bad : {std::nan(""), HUGE_VAL, 1e308}) {
    for (int part = 0; part < 4; ++part) {
      RigidState state(model, tilted());
      set_velocities(model, {1, 2, 3}, {4, 5, 6}, state);
      const RigidState before = state;
      Load load = no_load();
      if (part == 0) load.force[1] = bad;
      if (part == 1) load.torque[2] = bad;
      if (part >= 2) load.tangent.used = true;
      if (part == 2) load.tangent.K(4, 4) = bad;
      if (part == 3) load.tangent.D(1, 1) = bad;
      const StepStatus status = step(model, load, state);
      ASSERT_TRUE(state.centre.allFinite() && state.pose.rotation.coeffs().allFinite() &&
                  state.angular_velocity.allFinite());
      if (part < 2 && !(bad < HUGE_VAL)) {
        EXPECT_EQ(status, StepStatus::not_finite) << bad << ' ' << part;
      }
      if (has(status, StepStatus::not_finite)) {
        EXPECT_EQ(state.centre, before.centre);
        EXPECT_EQ(state.velocity, before.velocity);
        EXPECT_EQ(state.angular_momentum, before.angular_momentum);
        EXPECT_EQ(state.pose.rotation.coeffs(), before.pose.rotation.coeffs());
      }
      EXPECT_TRUE(std::isfinite(kinetic(model, state))) << bad << ' ' << part;
      EXPECT_FALSE(has(step(model, no_load(), state), StepStatus::not_finite)) << bad << part;
    }
  }
}

TEST(RigidBody, AKinematicBodyReachesItsTargetWithTheVelocitiesThatThisTakes) {
  const RigidModel model({.motion = RigidMotion::kinematic}, {}, dt);
  RigidState state(model, tilted());
  const Vector3d way(0.01, -0.02, 0.03), turn(0.02, 0.01, -0.03);
  const Pose target{state.pose.position + way, rotation_by(turn) * state.pose.rotation};
  Load load = no_load();
  load.force = Vector3d(1e3, 0, 0);  // it does not care
  EXPECT_TRUE(set_pose(model, target, state));
  EXPECT_EQ(step(model, load, state), StepStatus::ok);
  EXPECT_EQ(state.pose.position, target.position);
  EXPECT_LT(state.pose.rotation.angularDistance(target.rotation), 1e-15);
  Motion motion(0);
  RigidEngine::motion(model, state, motion);
  EXPECT_LT((motion.velocity - way / dt).norm(), 1e-12 / dt);
  EXPECT_LT((motion.angular_velocity - turn / dt).norm(), 1e-12 / dt);

  // No new pose: it stands.
  EXPECT_EQ(step(model, load, state), StepStatus::ok);
  RigidEngine::motion(model, state, motion);
  EXPECT_EQ(motion.velocity, Vector3d::Zero());
  EXPECT_EQ(motion.angular_velocity, Vector3d::Zero());
  EXPECT_EQ(state.pose.position, target.position);

  for (const Pose& bad :
       {Pose{{std::nan(""), 0, 0}, target.rotation}, Pose{{0, HUGE_VAL, 0}, target.rotation},
        Pose{way, Quaterniond(std::nan(""), 0, 0, 0)}, Pose{way, Quaterniond(0, 0, 0, 0)}}) {
    EXPECT_FALSE(set_pose(model, bad, state));
  }
  EXPECT_EQ(step(model, load, state), StepStatus::ok);
  EXPECT_EQ(state.pose.position, target.position);

  // A rotation given by a quaternion of another length, or of the other sign, is the same one.
  EXPECT_TRUE(
      set_pose(model, {target.position, Quaterniond(-3 * target.rotation.coeffs())}, state));
  step(model, load, state);
  EXPECT_NEAR(state.pose.rotation.norm(), 1.0, 1e-15);
  EXPECT_LT(state.angular_velocity.norm(), 1e-10);
}

TEST(RigidBody, AFixedBodyStays) {
  const RigidModel model({}, {}, dt);
  RigidState state(model, tilted());
  Load load = no_load();
  load.force = load.torque = Vector3d(1, 2, std::nan(""));
  EXPECT_FALSE(set_pose(model, {}, state));
  EXPECT_EQ(step(model, load, state), StepStatus::ok);
  EXPECT_EQ(state.pose.position, tilted().position);
  EXPECT_EQ(state.pose.rotation.coeffs(), tilted().rotation.coeffs());
}

TEST(RigidBody, RefusesAnInertiaThatNoSolidHas) {
  const RigidSettings free{.motion = RigidMotion::free};
  const RigidInertia good = box_inertia({0.1, 0.2, 0.3});
  EXPECT_NO_THROW(RigidModel(free, good, dt));
  const auto refused = [&](auto change) {
    RigidInertia unit = good;
    change(unit);
    EXPECT_THROW(RigidModel(free, unit, dt), Error);
    EXPECT_NO_THROW(RigidModel({}, unit, dt));  // a fixed body does not ask
  };
  refused([](RigidInertia& unit) { unit.mass = 0; });
  refused([](RigidInertia& unit) { unit.mass = std::nan(""); });
  refused([](RigidInertia& unit) { unit.centre[1] = HUGE_VAL; });
  refused([](RigidInertia& unit) { unit.inertia(0, 0) = -unit.inertia(0, 0); });
  refused([](RigidInertia& unit) { unit.inertia(0, 0) = 0; });
  refused([](RigidInertia& unit) { unit.inertia(0, 1) = unit.inertia(0, 0) / 2; });
  refused([](RigidInertia& unit) { unit.inertia(2, 2) = 3 * unit.inertia.trace(); });
  for (const double step_size : {0.0, -1e-3, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(RigidModel(free, good, step_size), Error);
  }
}

}  // namespace
}  // namespace pliant::test
