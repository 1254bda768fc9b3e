// SPDX-License-Identifier: MIT
// The inertia of a body that turns and deforms: x = c + R s, where c is the centre of mass, R a
// rotation, and s = X - X_c + U' q the place in the body's frame. All sums are over nodes with
// lumped masses m_a; x stands for the cross product.
//
//   C_j    = sum m U_j / m           the centre of mass moves by C q        3 by r
//   U'     = U - C                   shapes relative to the centre of mass: translation and
//                                    deformation then never couple, for any U
//   I(q)   = I0 + q_j I1_j + q_j q_k I2_jk    sum m (|s|^2 1 - s s^T)       3 by 3, symmetric
//   H(q)_j = H0_j + q_k h_kj         sum m s x U'_j: a velocity q' has the angular momentum H q';
//                                    h_kj = -h_jk                           3 by r
//   M'     = M - m C^T C             mass of q'
//
// If the shapes are mass-orthogonal to the rigid modes, which a bake of a free body gives, C and H0
// are zero and M' = M; h, I1 and I2 are not. [Shabana05], [Terzopoulos88]
//
// All follows from moments that are linear in the density, so that densities of regions can change.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

// Sums over nodes; X in the mesh's coordinates. [kg, m; per unit density: m^3, m]
struct BodyMoments {
  double mass = 0.0;               // sum m
  Vector3d X = Vector3d::Zero();   // sum m X
  Matrix3d XX = Matrix3d::Zero();  // sum m X X^T
  Matrix3Xd U;                     // sum m U_j, 3 by r
  MatrixXd XU;                     // sum m X U_j^T, 9 by r, columns of the 3 by 3 in turn
  MatrixXd UU;                     // sum m U_j U_k^T, 9 r by r: block j, column k

  Index size() const { return U.cols(); }
  void set_zero(Index r);
  void add(double factor, const BodyMoments& other) noexcept;
};

// What the step reads, made from moments without allocation. The leading r' columns, and blocks of
// rows, are those of the first r' shapes.
struct BodyInertia {
  explicit BodyInertia(Index r);
  void set(const BodyMoments& moments) noexcept;

  double mass;
  Vector3d centre;  // X_c
  Matrix3d I0;
  Matrix3Xd C;  // 3 by r
  VectorXd H0;  // 3 r: block j is H0_j
  MatrixXd h;   // 3 r by r: block j, column k is h_kj
  VectorXd I1;  // 6 r: block j is I1_j as xx, yy, zz, xy, xz, yz
  MatrixXd I2;  // 6 r by r: block j, column k is I2_jk
};

// The symmetric matrix of xx, yy, zz, xy, xz, yz.
inline Matrix3d symmetric(const Eigen::Ref<const Eigen::Matrix<double, 6, 1>>& a) noexcept {
  Matrix3d A;
  A << a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2];
  return A;
}

}  // namespace pliant
