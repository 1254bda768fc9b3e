// SPDX-License-Identifier: MIT
// The force and torque that act on a free body over a step when its load has a tangent: what the
// load is at the end of the step, where stiff springs have pulled the body along.
//
// Of the velocities at the beginning z0' = (v, w) of the centre of mass, with M = (m 1, I) and the
// motion of the step dz = dt (z0' + dz'/2),
//
//   (M + dt^2/2 K + dt D) dz' = dt (F - dt K z0')         F = (force, torque about the centre)
//
// stable for any K: a spring alone takes amplitude by 1 / (1 + dt^2 k / (2 m)) a step.
#pragma once

#include <Eigen/Cholesky>

#include "pliant/shape/motion.hpp"

namespace pliant {

struct Wrench {
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  // about the centre of mass
};

inline Matrix3d cross_matrix(const Vector3d& a) noexcept {
  Matrix3d A;
  A << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return A;
}

// `arm`: from the frame's origin, about which the load is taken, to the centre of mass; inertia
// about the centre, in the world; v, w: velocity of the centre and angular velocity. `factor`: of K
// and D. The wrench of the load alone if it has no tangent or the system cannot be solved.
inline Wrench implicit_wrench(const Load& load, const Vector3d& arm, double mass,
                              const Matrix3d& inertia, const Vector3d& v, const Vector3d& w,
                              double dt, double factor = 1.0) noexcept {
  using Vector6d = Eigen::Matrix<double, 6, 1>;
  using Matrix6d = Eigen::Matrix<double, 6, 6>;
  const Wrench plain{load.force, load.torque - arm.cross(load.force)};
  if (!load.tangent.used) return plain;
  // The origin moves by v_c + arm x w.
  Matrix6d T = Matrix6d::Identity();
  T.topRightCorner<3, 3>() = cross_matrix(arm);
  const auto about_centre = [&](const MatrixXd& m) -> Matrix6d {
    const Matrix6d own = m.topLeftCorner<6, 6>().selfadjointView<Eigen::Lower>();
    return factor * (T.transpose() * own * T);
  };
  const Matrix6d K = about_centre(load.tangent.K), D = about_centre(load.tangent.D);
  Matrix6d M = Matrix6d::Zero();
  M.topLeftCorner<3, 3>() = mass * Matrix3d::Identity();
  M.bottomRightCorner<3, 3>() = inertia;
  Vector6d F, rate;
  F << plain.force, plain.torque;
  rate << v, w;
  const Eigen::LLT<Matrix6d> factored(M + 0.5 * dt * dt * K + dt * D);
  if (factored.info() != Eigen::Success) return plain;
  const Vector6d change = factored.solve(F - dt * (K * rate));
  const Vector6d acting = M * change;
  return {acting.head<3>(), acting.tail<3>()};
}

}  // namespace pliant
