// SPDX-License-Identifier: MIT
#include "pliant/reduced/body_inertia.hpp"

namespace pliant {
namespace {

using Vector6d = Eigen::Matrix<double, 6, 1>;

// tr(G) 1 - sym(G), G = sum m a b^T: the inertia of a and b, as six numbers.
Vector6d inertia_of(const Matrix3d& G) {
  Vector6d I;
  I << G(1, 1) + G(2, 2), G(0, 0) + G(2, 2), G(0, 0) + G(1, 1), -0.5 * (G(0, 1) + G(1, 0)),
      -0.5 * (G(0, 2) + G(2, 0)), -0.5 * (G(1, 2) + G(2, 1));
  return I;
}

// sum m a x b of G = sum m a b^T.
Vector3d cross_of(const Matrix3d& G) {
  return {G(1, 2) - G(2, 1), G(2, 0) - G(0, 2), G(0, 1) - G(1, 0)};
}

}  // namespace

void BodyMoments::set_zero(Index r) {
  mass = 0.0;
  X.setZero();
  XX.setZero();
  U.setZero(3, r);
  XU.setZero(9, r);
  UU.setZero(9 * r, r);
}

void BodyMoments::add(double factor, const BodyMoments& other) noexcept {
  mass += factor * other.mass;
  X += factor * other.X;
  XX += factor * other.XX;
  U += factor * other.U;
  XU += factor * other.XU;
  UU += factor * other.UU;
}

BodyInertia::BodyInertia(Index r)
    : mass(0.0),
      centre(Vector3d::Zero()),
      I0(Matrix3d::Zero()),
      C(Matrix3Xd::Zero(3, r)),
      H0(VectorXd::Zero(3 * r)),
      h(MatrixXd::Zero(3 * r, r)),
      I1(VectorXd::Zero(6 * r)),
      I2(MatrixXd::Zero(6 * r, r)) {}

void BodyInertia::set(const BodyMoments& s) noexcept {
  mass = s.mass;
  centre = s.X / mass;
  C = s.U / mass;
  I0 = symmetric(inertia_of(s.XX - mass * centre * centre.transpose()));
  for (Index j = 0; j < s.size(); ++j) {
    // sum m (X - X_c) U'_j^T
    const Matrix3d XU = Matrix3d(s.XU.col(j).reshaped(3, 3)) - mass * centre * C.col(j).transpose();
    H0.segment<3>(3 * j) = cross_of(XU);
    I1.segment<6>(6 * j) = 2.0 * inertia_of(XU);
    for (Index k = 0; k < s.size(); ++k) {
      // sum m U'_j U'_k^T
      const Matrix3d UU = Matrix3d(s.UU.block<9, 1>(9 * j, k).reshaped(3, 3)) -
                          mass * C.col(j) * C.col(k).transpose();
      h.block<3, 1>(3 * j, k) = -cross_of(UU);
      I2.block<6, 1>(6 * j, k) = inertia_of(UU);
    }
  }
}

}  // namespace pliant
