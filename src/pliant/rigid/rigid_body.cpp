// SPDX-License-Identifier: MIT
#include "pliant/rigid/rigid_body.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"

namespace pliant {
namespace {

using Eigen::Quaterniond;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

constexpr double default_density = 1000.0;  // kg/m^3
constexpr double flat = 1e-12;              // smallest principal moment over the largest
constexpr double symmetric = 1e-9;          // asymmetry of an inertia, over its size
// A turn is cut so that a part of it is no larger than this [rad]; no more parts than these.
constexpr double part_of_a_turn = 0.5;
constexpr int most_parts = 32;
constexpr int most_iterations = 12;
constexpr double turn_rounding = 1e-15, turn_tolerance = 1e-6;  // of the angular velocity

// A sound inertia is symmetric positive definite, and no principal moment is larger than the sum
// of the other two.
void require_sound(const RigidInertia& unit) {
  if (!std::isfinite(unit.mass) || !unit.centre.allFinite() || !unit.inertia.allFinite()) {
    throw Error("the mass, centre or inertia of a rigid body is not finite");
  }
  if (!(unit.mass > 0)) {
    throw Error({"", 0, "rigid body"}, "it has no mass", std::to_string(unit.mass), "> 0");
  }
  const double size = unit.inertia.cwiseAbs().maxCoeff();
  const double skew = (unit.inertia - unit.inertia.transpose()).cwiseAbs().maxCoeff();
  if (!(skew <= symmetric * size)) {
    throw Error({"", 0, "rigid body"}, "its inertia is not symmetric");
  }
  const Vector3d I = Eigen::SelfAdjointEigenSolver<Matrix3d>(unit.inertia).eigenvalues();
  if (!(I[0] > flat * I[2]) || !(I[2] <= (1 + symmetric) * (I[0] + I[1]))) {
    throw Error({"", 0, "rigid body"}, "no solid has this inertia", "",
                "a moment of inertia about every axis, none above the sum of the two others");
  }
}

struct Turn {
  Quaterniond R;
  Vector3d W;  // in the frame
};

// (1): the rotation after dt, while the angular momentum goes from L0 to L1, by Newton's method.
Turn turn_once(const RigidModel& m, const Quaterniond& R0, const Vector3d& L0, const Vector3d& L1,
               double dt, StepStatus& status) noexcept {
  const Vector3d W0 = m.inverse_inertia * (R0.conjugate() * L0);
  Turn t{R0, m.inverse_inertia * (R0.conjugate() * L1)};
  double change = 0.0;
  for (int i = 0; i < most_iterations; ++i) {
    const Vector3d angle = 0.5 * dt * (W0 + t.W);
    t.R = (R0 * rotation_by(angle)).normalized();
    const Vector3d L = t.R.conjugate() * L1;
    // d(R1^T L1) = L~ J d(angle), with J = 1 - angle~/2 + angle~^2/6 - ..
    const Matrix3d a = cross_matrix(angle);
    const Matrix3d J = Matrix3d::Identity() - 0.5 * a + 1.0 / 6.0 * a * a;
    const Matrix3d A = m.inertia - 0.5 * dt * cross_matrix(L) * J;
    const Vector3d dW = A.inverse() * (L - m.inertia * t.W);
    t.W += dW;
    change = dW.norm();
    if (change <= turn_rounding * t.W.norm()) break;
  }
  if (!(change <= turn_tolerance * t.W.norm())) status |= StepStatus::not_converged;
  t.R = (R0 * rotation_by(0.5 * dt * (W0 + t.W))).normalized();
  t.W = m.inverse_inertia * (t.R.conjugate() * L1);
  return t;
}

Turn turn(const RigidModel& m, const Quaterniond& R0, const Vector3d& L0, const Vector3d& L1,
          StepStatus& status) noexcept {
  const Quaterniond to_frame = R0.conjugate();
  const double speed = std::max((m.inverse_inertia * (to_frame * L0)).norm(),
                                (m.inverse_inertia * (to_frame * L1)).norm());
  const double wanted = m.dt * speed / part_of_a_turn;
  if (!(wanted > 1)) return turn_once(m, R0, L0, L1, m.dt, status);
  const int parts = static_cast<int>(std::ceil(std::min<double>(wanted, most_parts)));
  Turn t{R0, Vector3d::Zero()};
  for (int i = 0; i < parts; ++i) {
    const double from = static_cast<double>(i) / parts, to = static_cast<double>(i + 1) / parts;
    t = turn_once(m, t.R, L0 + from * (L1 - L0), L0 + to * (L1 - L0), m.dt / parts, status);
  }
  return t;
}

// The change of (v, w) by a load with tangents, backward Euler; false if the tangent is not sound.
bool implicit_change(const RigidModel& m, const RigidState& s, const Matrix3d& inertia,
                     const Vector3d& a, const Load& load, Vector6d& change) noexcept {
  const double dt = m.dt;
  Matrix6d X = Matrix6d::Identity();
  X.topRightCorner<3, 3>() = cross_matrix(a);
  const auto of_centre = [&](const MatrixXd& at_origin) -> Matrix6d {
    const Matrix6d full = at_origin.topLeftCorner<6, 6>().template selfadjointView<Eigen::Lower>();
    return X.transpose() * full * X;
  };
  const Matrix6d K = of_centre(load.tangent.K), D = of_centre(load.tangent.D);
  Matrix6d M = Matrix6d::Zero(), damping = Matrix6d::Zero();
  M.diagonal().head<3>().setConstant(m.mass);
  M.bottomRightCorner<3, 3>() = inertia;
  damping.topLeftCorner<3, 3>() = m.damping * M.topLeftCorner<3, 3>();
  damping.bottomRightCorner<3, 3>() = m.angular_damping * inertia;
  Vector6d V, f;
  V << s.velocity, s.angular_velocity;
  f << load.force, load.torque;
  const Vector6d right = dt * (X.transpose() * f - (damping + dt * K) * V);
  const Matrix6d A = M + dt * (D + damping) + dt * dt * K;
  const Eigen::LLT<Matrix6d> solver(A);
  if (solver.info() != Eigen::Success) return false;
  change = solver.solve(right);
  return true;
}

StepStatus step_free(const RigidModel& m, const Load& load, RigidState& s) noexcept {
  StepStatus status = StepStatus::ok;
  const Vector3d a = s.pose.rotation * m.centre;
  const Vector3d torque = load.torque - a.cross(load.force);
  Vector3d v = m.kept * s.velocity + m.reached / m.mass * load.force;
  Vector3d L = m.angular_kept * s.angular_momentum + m.angular_reached * torque;
  Vector3d c = s.centre + 0.5 * m.dt * (s.velocity + v);
  Vector3d L0 = s.angular_momentum;
  if (load.tangent.used) {
    const Matrix3d R = s.pose.rotation.toRotationMatrix();
    const Matrix3d inertia = R * m.inertia * R.transpose();
    Vector6d change;
    if (implicit_change(m, s, inertia, a, load, change)) {
      v = s.velocity + change.head<3>();
      L = s.angular_momentum + inertia * change.tail<3>();
      c = s.centre + m.dt * v;
      L0 = L;
    } else {
      status |= StepStatus::not_definite;
    }
  }
  if (!v.allFinite() || !L.allFinite() || !c.allFinite()) return status | StepStatus::not_finite;
  const Turn end = turn(m, s.pose.rotation, L0, L, status);
  const Vector3d p = c - end.R * m.centre;
  if (!end.R.coeffs().allFinite() || !end.W.allFinite() || !p.allFinite()) {
    return status | StepStatus::not_finite;
  }
  s.centre = c;
  s.velocity = v;
  s.angular_momentum = L;
  s.angular_velocity = end.R * end.W;
  s.pose = {p, end.R};
  return status;
}

StepStatus step_kinematic(const RigidModel& m, RigidState& s) noexcept {
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero();
  if (s.has_target) {
    v = (s.target.position - s.pose.position) / m.dt;
    w = rotation_vector(s.target.rotation * s.pose.rotation.conjugate()) / m.dt;
    s.has_target = false;
    if (!v.allFinite() || !w.allFinite()) return StepStatus::not_finite;
    s.pose = s.target;
  }
  s.velocity = v;
  s.angular_velocity = w;
  return StepStatus::ok;
}

}  // namespace

RigidModel::RigidModel(const RigidSettings& settings, const RigidInertia& unit, double step)
    : motion(settings.motion), dt(step) {
  if (!(dt > 0) || !std::isfinite(dt)) {
    throw Error({"", 0, "rigid body"}, "a step must be positive", std::to_string(dt), "s");
  }
  if (motion != RigidMotion::free) return;
  require_sound(unit);
  const double density =
      settings.mass ? *settings.mass / unit.mass : settings.density.value_or(default_density);
  mass = settings.mass.value_or(density * unit.mass);
  centre = unit.centre;
  inertia = 0.5 * density * (unit.inertia + unit.inertia.transpose());
  inverse_inertia = inertia.inverse();
  damping = settings.damping;
  angular_damping = settings.angular_damping;
  first_velocity = settings.velocity;
  first_angular_velocity = settings.angular_velocity;
  kept = std::exp(-damping * dt);
  reached = damping > 0 ? -std::expm1(-damping * dt) / damping : dt;
  angular_kept = std::exp(-angular_damping * dt);
  angular_reached = angular_damping > 0 ? -std::expm1(-angular_damping * dt) / angular_damping : dt;
  if (!std::isfinite(mass) || !inertia.allFinite() || !inverse_inertia.allFinite()) {
    throw Error({"", 0, "rigid body"}, "its mass is out of range", std::to_string(mass), "kg");
  }
}

RigidState::RigidState(const RigidModel& model, const Pose& begin) noexcept : first(begin) {
  reset(model, *this);
}

void reset(const RigidModel& model, RigidState& state) noexcept {
  state.pose = state.target = state.first;
  state.has_target = false;
  state.centre = state.pose.to_world(model.centre);
  set_velocities(model, model.first_velocity, model.first_angular_velocity, state);
}

void set_velocities(const RigidModel& model, const Vector3d& velocity,
                    const Vector3d& angular_velocity, RigidState& state) noexcept {
  const Quaterniond& R = state.pose.rotation;
  state.velocity = velocity;
  state.angular_velocity = angular_velocity;
  state.angular_momentum = R * (model.inertia * (R.conjugate() * angular_velocity));
}

bool set_pose(const RigidModel& model, const Pose& pose, RigidState& state) noexcept {
  const double length = pose.rotation.norm();
  if (model.motion != RigidMotion::kinematic || !pose.position.allFinite() ||
      !std::isfinite(length) || !(length > 1e-6)) {
    return false;
  }
  state.target = {pose.position, Quaterniond(pose.rotation.coeffs() / length)};
  state.has_target = true;
  return true;
}

StepStatus step(const RigidModel& model, const Load& load, RigidState& state) noexcept {
  switch (model.motion) {
    case RigidMotion::fixed:
      return StepStatus::ok;
    case RigidMotion::kinematic:
      return step_kinematic(model, state);
    case RigidMotion::free:
      return step_free(model, load, state);
  }
  return StepStatus::ok;
}

}  // namespace pliant
