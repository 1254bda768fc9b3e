// SPDX-License-Identifier: MIT
#include "pliant/haptics/static_coupling.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "pliant/base/rotation.hpp"
#include "pliant/haptics/check_number.hpp"

namespace pliant {
namespace {

Vector3d clamp_smoothly(const Vector3d& v, double limit) noexcept {
  const double size = v.norm();
  if (!(size > 0.5 * limit)) return v;
  return Saturation{.stiffness = 1.0, .limit = limit}.at(size).force / size * v;
}

constexpr double to_and_fro = 4.0;  // a path so many times longer than what it led to
constexpr double matters = 1e-4, rounding = 1e-9;  // steps, of the sizes of spring and object
constexpr double least_brake = 1e-4, restoring = 4.0;
constexpr double softer = 0.5;  // than the spring without contact: it is saturated there

// The largest part, 0 to 1, of `way` after `first` that leaves both together no longer than `most`.
double room(const Vector3d& first, const Vector3d& way, double most) noexcept {
  const double a = way.squaredNorm(), b = first.dot(way);
  const double c = std::max(0.0, most * most - first.squaredNorm());
  if ((first + way).squaredNorm() <= most * most || a == 0.0) return 1.0;
  return std::min(1.0, (std::sqrt(b * b + a * c) - b) / a);
}

// `way` after `first`, within the limits of speed. `together`: ways and turns belong to each other.
Vector6d within(const Vector6d& first, const Vector6d& way, double most_way, double most_turn,
                bool together) noexcept {
  double of_way = room(first.head<3>(), way.head<3>(), most_way);
  double of_turn = room(first.tail<3>(), way.tail<3>(), most_turn);
  if (together) of_way = of_turn = std::min(of_way, of_turn);
  Vector6d out;
  out << first.head<3>() + of_way * way.head<3>(), first.tail<3>() + of_turn * way.tail<3>();
  return out;
}

}  // namespace

Vector6d device_clamp(const Vector6d& wrench, double force, double torque) noexcept {
  Vector6d out;
  out << clamp_smoothly(wrench.head<3>(), force), clamp_smoothly(wrench.tail<3>(), torque);
  return out;
}

StaticCoupling::StaticCoupling(const StaticCouplingSpec& spec, double dt, const Pose& object)
    : spec_(spec), dt_(dt), object_(object), last_hand_(object) {
  const char* positive = "a number above 0";
  for (const auto& [name, value] : {std::pair{"stiffness", spec.spring.force.stiffness},
                                    {"torque stiffness", spec.spring.torque.stiffness},
                                    {"largest speed", spec.most_speed},
                                    {"largest turning speed", spec.most_turning},
                                    {"length", spec.length},
                                    {"force of the device", spec.device_force},
                                    {"torque of the device", spec.device_torque},
                                    {"step", dt}}) {
    check_number("coupling", name, value, value > 0, positive);
  }
  for (const Saturation* s : {&spec.spring.force, &spec.spring.torque}) {
    if (s->limit > 0) continue;
    check_number("coupling", "limit of the spring", s->limit, false, positive);
  }
  check_number("coupling", "damping", spec.damping, spec.damping >= 0 && spec.damping < 1,
               "0 to below 1");
  check_number("coupling", "free_below", spec.free_below,
               spec.free_below >= 0 && spec.free_below < 1, "0 to below 1");
}

void StaticCoupling::reset(const Pose& object) noexcept {
  object_ = last_hand_ = object;
  steps_ = {};
  brake_ = 1.0;
}

HandForce StaticCoupling::advance(const Pose& hand, const HeldContact& contact) noexcept {
  HandForce out;
  const SpringWrench spring = spring_wrench(spec_.spring, object_, hand);

  // Rotations as lengths, torques as forces.
  Vector6d scale;
  scale << Vector3d::Ones(), Vector3d::Constant(1 / spec_.length);
  const Matrix6d A = scale.asDiagonal() * (contact.gradient + spring.gradient) * scale.asDiagonal();
  const Vector6d b = -scale.cwiseProduct(contact.wrench + spring.wrench);
  // What is not a number moves nothing.
  const bool sound = A.allFinite() && b.allFinite();
  const Eigen::JacobiSVD<Matrix6d> svd(sound ? A : Matrix6d::Identity(),
                                       Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vector6d apart;
  apart << spring.apart, spec_.length * spring.turned;
  const double softest =
      std::min(spec_.spring.force.stiffness,
               0.5 * spec_.spring.torque.stiffness / (spec_.length * spec_.length));
  const double least = std::max(spec_.free_below * softest, rounding * svd.singularValues()[0]);
  Vector6d held = Vector6d::Zero(), follows = Vector6d::Zero();
  for (int i = 0; i < 6; ++i) {
    const double sigma = svd.singularValues()[i];
    const bool is_free = !(sigma > least);
    out.free_directions += is_free ? 1 : 0;
    const double to_hand = svd.matrixV().col(i).dot(apart);  // (4.41)
    double along = is_free ? to_hand : svd.matrixU().col(i).dot(b) / sigma;
    const bool soft = sigma < softer * softest;
    if (soft && std::abs(along) > std::abs(to_hand)) along = to_hand;
    (soft ? follows : held) += along * svd.matrixV().col(i);
  }
  held = (1 - spec_.damping) * scale.cwiseProduct(held);
  follows = (1 - spec_.damping) * scale.cwiseProduct(follows);

  // (4.6)
  const double most_way = brake_ * spec_.most_speed * dt_;
  const double most_turn = brake_ * spec_.most_turning * dt_;
  const bool touches = !contact.gradient.isZero(0.0);
  Vector6d z = within(Vector6d::Zero(), held, most_way, most_turn, touches);
  z = within(z, follows, most_way, most_turn, touches);
  const Vector6d wanted = held + follows;
  if (!sound || !z.allFinite()) z.setZero();
  out.limited = !z.isApprox(wanted);

  object_.position += z.head<3>();
  object_.rotation = (rotation_by(z.tail<3>()) * object_.rotation).normalized();
  const double hand_way =
      (hand.position - last_hand_.position).norm() +
      spec_.length * rotation_vector(hand.rotation * last_hand_.rotation.conjugate()).norm();
  last_hand_ = hand;
  watch(z.cwiseQuotient(scale), hand_way);
  out.slowed = brake_ < 1.0;

  const SpringWrench after = spring_wrench(spec_.spring, object_, hand);
  out.on_object = after.wrench;
  out.on_hand = device_clamp(-after.linear, spec_.device_force, spec_.device_torque);
  return out;
}

void StaticCoupling::watch(const Vector6d& step, double hand_way) noexcept {
  steps_.sum += step;
  steps_.way += step.norm();
  steps_.largest = std::max(steps_.largest, step.norm());
  steps_.hand += hand_way;
  if (++steps_.count < Steps::length) return;
  // Steps that matter: against the stretch at which the spring bends, or a part of the object.
  const double bend = 0.5 * spec_.spring.force.limit / spec_.spring.force.stiffness;
  const double size = std::min(bend, spec_.length);
  const double net = std::max(steps_.sum.norm(), steps_.hand);
  const bool swings = steps_.way > to_and_fro * net && steps_.largest > rounding * size;
  if (swings && steps_.largest > matters * size) {
    const double used = steps_.largest / (spec_.most_speed * dt_);
    brake_ = std::max(least_brake, 0.5 * std::min(brake_, used));
  } else if (!swings) {
    brake_ = std::min(1.0, restoring * brake_);
  }
  steps_ = {};
}

}  // namespace pliant
