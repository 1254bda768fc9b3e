// SPDX-License-Identifier: MIT
#include "pliant/haptics/dynamic_coupling.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/rotation.hpp"
#include "pliant/haptics/check_number.hpp"

namespace pliant {
DynamicCoupling::DynamicCoupling(const DynamicCouplingSpec& spec, double dt, const Pose& object)
    : spec_(spec), dt_(dt), object_(object) {
  for (const auto& [name, value] : {std::pair{"mass", spec.mass},
                                    {"inertia", spec.inertia},
                                    {"stiffness", spec.spring.force.stiffness},
                                    {"torque stiffness", spec.spring.torque.stiffness},
                                    {"largest speed", spec.most_speed},
                                    {"largest turning speed", spec.most_turning},
                                    {"force of the device", spec.device_force},
                                    {"torque of the device", spec.device_torque},
                                    {"step", dt}}) {
    check_number("coupling", name, value, value > 0, "a number above 0");
  }
  check_number("coupling", "damping ratio", spec.damping_ratio, spec.damping_ratio >= 0,
               "0 or above");
  check_number("coupling", "number of sub-steps", spec.sub_steps,
               spec.sub_steps >= 1 && spec.sub_steps <= 1000, "1 to 1000");
  damper_ = 2 * spec.damping_ratio * std::sqrt(spec.spring.force.stiffness * spec.mass);
  // (4.14) has half its stiffness for small angles.
  turning_damper_ =
      2 * spec.damping_ratio * std::sqrt(0.5 * spec.spring.torque.stiffness * spec.inertia);
}

void DynamicCoupling::reset(const Pose& object) noexcept {
  object_ = object;
  speed_.setZero();
}

HandForce DynamicCoupling::advance(const Pose& hand, const Vector6d& hand_speed,
                                   const HeldContact& contact) noexcept {
  HandForce out;
  const double h = dt_ / spec_.sub_steps;
  Vector6d mass, damper;
  mass << Vector3d::Constant(spec_.mass), Vector3d::Constant(spec_.inertia);
  damper << Vector3d::Constant(damper_), Vector3d::Constant(turning_damper_);
  const Pose before = object_;
  Vector6d moved = Vector6d::Zero();  // since the beginning of the cycle
  for (int n = 0; n < spec_.sub_steps; ++n) {
    const Vector6d force = spring_wrench(spec_.spring, object_, hand).wrench + contact.wrench +
                           contact.gradient * moved + damper.cwiseProduct(hand_speed);
    // (m + h d) v1 = m v0 + h F; J is round, so that w x J w = 0.
    speed_ = (mass.cwiseProduct(speed_) + h * force).cwiseQuotient(mass + h * damper);
    const double fast = std::max(speed_.head<3>().norm() / spec_.most_speed,
                                 speed_.tail<3>().norm() / spec_.most_turning);
    if (fast > 1) {
      speed_ /= fast;
      out.limited = true;
    }
    moved += h * speed_;
    object_.position += h * speed_.head<3>();
    object_.rotation = (rotation_by(h * speed_.tail<3>()) * object_.rotation).normalized();
  }
  if (!speed_.allFinite() || !object_.position.allFinite() ||
      !object_.rotation.coeffs().allFinite()) {
    object_ = before;
    speed_.setZero();
  }
  const SpringWrench after = spring_wrench(spec_.spring, object_, hand);
  out.on_object = after.wrench;
  Vector6d felt = -after.linear - damper.cwiseProduct(hand_speed - speed_);
  // No more than what touches the object: nothing in free space, and no jump at the first touch.
  felt.head<3>() = no_longer(felt.head<3>(), contact.wrench.head<3>().norm());
  felt.tail<3>() = no_longer(felt.tail<3>(), contact.wrench.tail<3>().norm());
  out.on_hand = device_clamp(felt, spec_.device_force, spec_.device_torque);
  if (!out.on_hand.allFinite()) out.on_hand.setZero();
  return out;
}

}  // namespace pliant
