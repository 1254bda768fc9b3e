// SPDX-License-Identifier: MIT
#include "pliant/haptics/operator_hand.hpp"

#include <cmath>
#include <numbers>

#include "pliant/base/rotation.hpp"
#include "pliant/haptics/check_number.hpp"

namespace pliant {
namespace {

using Matrix5d = Eigen::Matrix<double, 5, 5>;

// exp(A) by scaling, Taylor's series and squaring.
Matrix5d exponential(Matrix5d A) {
  int halvings = 0;
  while (A.cwiseAbs().maxCoeff() > 0.05) {
    A *= 0.5;
    ++halvings;
  }
  Matrix5d sum = Matrix5d::Identity(), term = sum;
  for (int n = 1; n <= 12; ++n) {
    term = (term * A / n).eval();
    sum += term;
  }
  for (; halvings > 0; --halvings) sum = (sum * sum).eval();
  return sum;
}

double in_steps(double x, double step) noexcept {
  return step > 0 ? std::round(x / step) * step : x;
}

}  // namespace

OperatorHand::Axis OperatorHand::axis_of(double mass, double damping, double stiffness, double grip,
                                         double dt) {
  // (x, v, f, t, t')' with f and t' constant: x'' = (f + k (t - x) + b_h (t' - v) - b v) / m.
  Matrix5d A = Matrix5d::Zero();
  A(0, 1) = 1;
  A.row(1) << -stiffness / mass, -(damping + grip) / mass, 1 / mass, stiffness / mass, grip / mass;
  A(3, 4) = 1;
  const Matrix5d step = exponential(A * dt);
  Axis axis;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      axis.step[i][j] = step(static_cast<Index>(i), static_cast<Index>(j));
    }
  }
  return axis;
}

OperatorHand::OperatorHand(const OperatorSpec& spec, double dt, const Pose& start)
    : spec_(spec), dt_(dt), start_(start) {
  const char* what = "operator";
  for (const auto& [name, value] : {std::pair{"mass", spec.mass},
                                    {"inertia", spec.inertia},
                                    {"largest force", spec.most_force},
                                    {"largest torque", spec.most_torque},
                                    {"step", dt}}) {
    check_number(what, name, value, value > 0, "a number above 0");
  }
  for (const auto& [name, value] : {std::pair{"damping", spec.damping},
                                    {"stiffness of the grip", spec.grip_stiffness},
                                    {"damping of the grip", spec.grip_damping},
                                    {"turning damping", spec.turning_damping},
                                    {"turning stiffness", spec.turning_stiffness},
                                    {"turning damping of the grip", spec.turning_grip},
                                    {"tremor", spec.tremor},
                                    {"rate of the tremor", spec.tremor_rate},
                                    {"step of the encoder", spec.encoder},
                                    {"turning step of the encoder", spec.turning_encoder}}) {
    check_number(what, name, value, value >= 0, "0 or above");
  }
  check_number(what, "delay", spec.delay, spec.delay >= 0 && spec.delay <= most_delay,
               "0 to 15 cycles");
  moving_ = axis_of(spec.mass, spec.damping, spec.grip_stiffness, spec.grip_damping, dt);
  turning_ =
      axis_of(spec.inertia, spec.turning_damping, spec.turning_stiffness, spec.turning_grip, dt);
  sent_.fill(Vector6d::Zero());
  Random random(spec.seed);
  for (double& p : phase_) p = random.uniform(0.0, 2 * std::numbers::pi);
}

Pose OperatorHand::sensed() const noexcept {
  Vector3d moved = x_.head<3>(), turned = x_.tail<3>();
  for (double& x : moved) x = in_steps(x, spec_.encoder);
  for (double& x : turned) x = in_steps(x, spec_.turning_encoder);
  return {start_.position + moved, (rotation_by(turned) * start_.rotation).normalized()};
}

void OperatorHand::advance(const Vector6d& force, const Pose& intended) noexcept {
  sent_[next_] << no_longer(force.head<3>(), spec_.most_force),
      no_longer(force.tail<3>(), spec_.most_torque);
  const std::size_t count = sent_.size();
  const Vector6d acting = sent_[(next_ + count - static_cast<std::size_t>(spec_.delay)) % count];
  next_ = (next_ + 1) % count;

  time_ += dt_;
  Vector6d target;
  target << intended.position - start_.position,
      rotation_vector(intended.rotation * start_.rotation.conjugate());
  for (Index i = 0; i < 3; ++i) {
    target[i] +=
        spec_.tremor * std::sin(2 * std::numbers::pi * spec_.tremor_rate * time_ + phase_[i]);
  }
  for (Index i = 0; i < 6; ++i) {
    const auto& step = (i < 3 ? moving_ : turning_).step;
    const double rate = (target[i] - target_[i]) / dt_;
    const std::array<double, 5> state{x_[i], v_[i], acting[i], target_[i], rate};
    double x = 0, v = 0;
    for (std::size_t j = 0; j < 5; ++j) {
      x += step[0][j] * state[j];
      v += step[1][j] * state[j];
    }
    x_[i] = x;
    v_[i] = v;
  }
  target_ = target;
}

}  // namespace pliant
