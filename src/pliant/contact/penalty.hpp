// SPDX-License-Identifier: MIT
// The forces of points of a shell that are inside of a field: [Barbic07] 3.5.
//
//   f_i = s k a_i (-d_i) N_i (1 - b v_i.N_i)       on the shell at x_i; -f_i there on the field's body
//
//   d_i < 0   value of the field at the point           N_i   the point's inward normal, in the world
//   k         stiffness [N/m]                           a_i   weight of the point, 1 on average
//   v_i       velocity of the point against the field's body; v.N < 0 while it goes in
//   b         damping [s/m]: the force grows with the speed of penetration; never below 0
//   s         scale that limits the total stiffness of many contacts
//
// Published: s = min(1, L / l) with l the number of contacts. When a point enters, the total force
// then falls by a part 1/(l + 1), though the point's own force begins at 0. The default count is
// smooth,
//
//   l = sum_i a_i w(-d_i / d_full),   w(t) = t^2 (3 - 2 t) for t < 1, else 1
//
// so that the total is a continuous function of the poses and shapes. For points ever denser
// both tend to integrals over the surface in contact, the published one to (3.2).
#pragma once

#include <span>

#include "pliant/contact/traversal.hpp"
#include "pliant/shape/point_set.hpp"

namespace pliant {

struct PenaltySpec {
  double stiffness = 1000.0;  // k [N/m]
  double limit = 10.0;        // L
  double full_depth = 0.0;    // d_full [m]; 0: the published count
  double damping = 0.0;       // b [s/m]
};

// One contact, for people and devices to look at. In the world.
struct ContactPoint {
  int point = -1;                      // of the shell
  Vector3d place = Vector3d::Zero();   // m
  Vector3d normal = Vector3d::Zero();  // inward, of the shell
  Vector3d force = Vector3d::Zero();   // on the shell [N]
  double depth = 0.0;                  // m
};

struct PenaltySum {
  Vector3d force = Vector3d::Zero();   // on the shell's body [N]; the field's gets the opposite
  Vector3d torque = Vector3d::Zero();  // on the shell's body about the world's origin [N m]
  double scale = 1.0;                  // s
  double deepest = 0.0;                // m
  int contacts = 0;
};

// Adds the loads of the contacts that a traversal has found. `weights`: a_i, or empty. `report`: the
// first contacts are written there; how many: min(its size, contacts).
PenaltySum add_penalty(const PenaltySpec& spec, const Traversal& found, const PointSet& shell,
                       const Motion& shell_motion, const Motion& field_motion,
                       std::span<const float> weights, Load& on_shell, Load& on_field,
                       std::span<ContactPoint> report) noexcept;

}  // namespace pliant
