// SPDX-License-Identifier: MIT
// A spring and a damper between a hand and a body that moves by itself, free and perhaps soft: its own
// mass is felt, and its softness. The body takes both implicitly, by the tangent of its load.
//
//   (F, T) = spring (coupling_spring.hpp) + (d, d_T) (V_m - V)         on the body, at its grasped point
//   K      = the spring's stiffness there, D = (d, d_T): how they change as the body moves
//
//   V_m, V   rates of the hand and of the grasped point
#pragma once

#include <algorithm>

#include "pliant/haptics/static_coupling.hpp"

namespace pliant {

struct CarryingSpring {
  CouplingSpring spring;
  double damper = 1.0, turning_damper = 0.01;      // d [N s/m], d_T [N m s]
  double device_force = 8.5, device_torque = 0.5;  // N, N m

  struct Pull {
    Vector6d wrench;  // on the body
    Vector6d K, D;    // diagonals, never below 0
    HandForce felt;
  };
  Pull at(const Pose& body, const Vector6d& rate, const Pose& hand,
          const Vector6d& hand_rate) const noexcept {
    Pull out;
    const SpringWrench now = spring_wrench(spring, body, hand);
    out.D << Vector3d::Constant(damper), Vector3d::Constant(turning_damper);
    const Vector6d damped = out.D.cwiseProduct(hand_rate - rate);
    out.wrench = now.wrench + damped;
    // Across the spring it is softer than along it, and a saturated one is soft along.
    const double apart = now.apart.norm(), turned = now.turned.norm();
    const auto stiffness = [](const Vector3d& pull, double way, double at_rest) {
      return way > 1e-9 ? std::min(at_rest, pull.norm() / way) : at_rest;
    };
    out.K << Vector3d::Constant(stiffness(now.wrench.head<3>(), apart, spring.force.stiffness)),
        Vector3d::Constant(stiffness(now.wrench.tail<3>(), turned, 0.5 * spring.torque.stiffness));
    out.felt.on_object = out.wrench;
    out.felt.on_hand = device_clamp(-now.linear - damped, device_force, device_torque);
    return out;
  }
};

}  // namespace pliant
