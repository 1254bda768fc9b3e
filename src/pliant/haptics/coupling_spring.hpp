// SPDX-License-Identifier: MIT
// The spring between a hand and what it holds: [Barbic07] 4.3, 4.4, 4.9.
//
//   r = x_m - x_s      F = f(|r|) r / |r|                  f: saturation.hpp        (4.13), (4.39)
//   q = q_m q_s^-1, in the hemisphere of positive scalars  e = vector(q), |e| = sin(theta / 2)
//   T = g(|e|) e / |e|                                     g: its own saturation    (4.14)
//
//   x_s, q_s   the grasped point of the object and its rotation       F, T   on the object
//   x_m, q_m   those of the hand (the manipulandum)                   theta  angle between the two
//
// Without saturation T = k_T sin(theta / 2): for small angles the stiffness is k_T / 2. A limit T_max
// is reached by the linear law at the angle a with sin(a / 2) = T_max / k_T, so that
// T = T_max sin(theta / 2) / sin(a / 2) before it bends.
//
// How they change when the object moves by dx and turns by dw (in the world, about x_s):
//
//   dF/dx = -f/r I + (f/r - f') e_r e_r^T                                                 (4.40)
//   de/dw = -1/2 (scalar(q) I + e~)          for any angle below pi                       (4.24)
//   dT/dw = (g/|e| I + (g' - g/|e|) e_e e_e^T) de/dw
#pragma once

#include "pliant/base/pose.hpp"
#include "pliant/haptics/saturation.hpp"
#include "pliant/haptics/wrench.hpp"

namespace pliant {

struct CouplingSpring {
  Saturation force{.stiffness = 500};  // N/m, N
  Saturation torque{.stiffness = 2};   // k_T [N m], N m
};

struct SpringWrench {
  Vector6d wrench;    // on the object, about its grasped point
  Vector6d linear;    // what it would be without saturation
  Matrix6d gradient;  // by (dx, dw)
  Vector3d apart;     // x_m - x_s
  Vector3d turned;    // the rotation vector from the object to the hand
};

// `object`, `hand`: the grasped point and the rotation of each.
SpringWrench spring_wrench(const CouplingSpring& spring, const Pose& object,
                           const Pose& hand) noexcept;

}  // namespace pliant
