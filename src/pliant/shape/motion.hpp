// SPDX-License-Identifier: MIT
// What a body does and what is done to it, the same for every engine. A point of the body is at
//
//   x_s = p + A (X_s + U_s c)        x_s' = v + w x (x_s - p) + A U_s c'
//
//   p, A   pose of the body's frame
//   v, w   its velocity at p and angular velocity, in the world
//   c, c'  r coefficients and their rates (of a dense body, displacements of all nodes: 3 #V)
//
// so that virtual work of forces f_s at points is  F.v + T.w + Q.c'  with
//
//   F = sum f_s      T = sum (x_s - p) x f_s      Q = sum U_s^T A^T f_s
//
// Contact, couplings, pulls and wind read motions and write loads, and know nothing else of a body.
#pragma once

#include "pliant/base/pose.hpp"

namespace pliant {

using Eigen::VectorXf;

struct Motion {
  Motion() = default;
  explicit Motion(Index r) : c(VectorXf::Zero(r)), dc(VectorXf::Zero(r)) {}

  Pose pose;
  Vector3d velocity = Vector3d::Zero();          // of the frame's origin [m/s]
  Vector3d angular_velocity = Vector3d::Zero();  // rad/s
  VectorXf c, dc;
};

// Neither a NaN nor more than the numbers can hold.
inline bool is_finite(const Motion& m) noexcept {
  return m.pose.position.allFinite() && m.pose.rotation.coeffs().allFinite() &&
         m.velocity.allFinite() && m.angular_velocity.allFinite() && m.c.allFinite() &&
         m.dc.allFinite();
}

// How the load changes while the body moves, in the n = 6 + r freedoms z = (moved, turned, c) of
// the step: at its end the load is (F, T, Q) - K dz - D dz', where dz is how far z went since the
// load was taken, and dz' how its rate changed. So a step takes stiff springs and contacts
// implicitly. K and D are symmetric positive semidefinite; their lower triangles count.
struct LoadTangent {
  bool used = false;  // otherwise K and D are zero and need not be looked at
  MatrixXd K, D;      // n by n; empty for bodies whose engine takes none
};

struct Load {
  Load() = default;
  // `tangent`: with room for one.
  Load(Index r, bool tangent) : Q(VectorXd::Zero(r)) {
    if (!tangent) return;
    this->tangent.K = this->tangent.D = MatrixXd::Zero(6 + r, 6 + r);
  }
  void set_zero() noexcept {
    force.setZero();
    torque.setZero();
    Q.setZero();
    if (!tangent.used) return;
    tangent.used = false;
    tangent.K.setZero();
    tangent.D.setZero();
  }
  // Without tangents: those of slow loads are not kept.
  void add(const Load& other) noexcept {
    force += other.force;
    torque += other.torque;
    Q += other.Q;
  }

  Vector3d force = Vector3d::Zero();   // F [N], in the world
  Vector3d torque = Vector3d::Zero();  // T about the frame's origin [N m], in the world
  VectorXd Q;                          // r
  LoadTangent tangent;
};

// Of a state [J].
struct Energy {
  double kinetic = 0.0, elastic = 0.0;
};

}  // namespace pliant
