// SPDX-License-Identifier: MIT
#include "pliant/green/control_motion.hpp"

#include <cmath>

#include <Eigen/LU>
#include <Eigen/SVD>

#include "pliant/base/rotation.hpp"

namespace pliant {
namespace {

// Of the two smallest singular values of a mean of rotations, below which its nearest rotation is
// not unique to rounding.
constexpr double least_definite = 1e-6;

// Rotations of nearly half a turn do not say which way they went.
constexpr double least_turn_back = 3.1;

using RowMatrix3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Vector3d translation(const AffineMotion& motion) {
  return Eigen::Map<const Vector3d>(motion.data());
}
Matrix3d matrix(const AffineMotion& motion) {
  return Eigen::Map<const RowMatrix3d>(motion.data() + 3);
}
AffineMotion motion_of(const Vector3d& T, const Matrix3d& M) {
  AffineMotion motion;
  Eigen::Map<Vector3d>(motion.data()) = T;
  Eigen::Map<RowMatrix3d>(motion.data() + 3) = M;
  return motion;
}

// The nearest rotation. False: there are several.
bool polar(const Matrix3d& A, Matrix3d& R) noexcept {
  if (!A.allFinite()) return false;
  const Eigen::JacobiSVD<Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vector3d sign(1, 1, 1);
  sign[2] = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  const Vector3d s = svd.singularValues();
  if (!(s[1] + sign[2] * s[2] > least_definite * s[0])) return false;
  R = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
  return true;
}

}  // namespace

AffineMotion affine_motion(const ControlStart& start) {
  const Matrix3d A = start.rotation.toRotationMatrix() * start.scale.asDiagonal();
  return motion_of(start.translation, A - Matrix3d::Identity());
}

bool rotation_of(const AffineMotion& motion, Matrix3d& R) noexcept {
  const Matrix3d A = Matrix3d::Identity() + matrix(motion);
  return A.determinant() > 0 && polar(A, R);
}

bool average_motion(std::span<const AffineMotion> motions, std::span<const ControlState> states,
                    const Matrix3Xd& centres, WholeMotion& out) noexcept {
  Matrix3d sum = Matrix3d::Zero();
  Vector3d rest = Vector3d::Zero(), moved = Vector3d::Zero();
  int count = 0;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    if (states[i] == ControlState::free) continue;
    Matrix3d R;
    if (!rotation_of(motions[i], R)) return false;
    const Vector3d o = centres.col(static_cast<Index>(i));
    sum += R;
    rest += o;
    moved += o + translation(motions[i]);
    ++count;
  }
  if (count == 0 || !polar(sum / count, out.R)) return false;
  out.p = moved / count - out.R * (rest / count);
  return true;
}

AffineMotion without(const WholeMotion& whole, const AffineMotion& motion,
                     const Vector3d& centre) noexcept {
  const Matrix3d Rt = whole.R.transpose();
  const Vector3d t = Rt * (centre + translation(motion) - whole.p) - centre;
  const Matrix3d m = Rt * (Matrix3d::Identity() + matrix(motion)) - Matrix3d::Identity();
  return motion_of(t, m);
}

Matrix3d mean_rotation(const Vector3d& w) noexcept {
  const double angle = w.norm(), square = angle * angle;
  const Matrix3d W = cross_matrix(w);
  // (1 - cos a) / a^2 and (a - sin a) / a^3; series where these lose their digits.
  const double a =
      angle > 1e-2 ? (1 - std::cos(angle)) / square : 0.5 - square / 24 + square * square / 720;
  const double b = angle > 1e-2 ? (angle - std::sin(angle)) / (square * angle)
                                : 1.0 / 6 - square / 120 + square * square / 5040;
  return Matrix3d::Identity() + a * W + b * W * W;
}

Vector3d turn_of(const AffineMotion& motion) noexcept {
  const Matrix3d m = matrix(motion);
  return 0.5 * Vector3d(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
}

bool unwarp(const AffineMotion& left, AffineMotion& linear) noexcept {
  Matrix3d R;
  if (!rotation_of(left, R)) return false;
  const Vector3d w = rotation_vector(Eigen::Quaterniond(R));
  if (!(w.norm() < least_turn_back)) return false;
  const Matrix3d back = mean_rotation(w).inverse();
  linear = motion_of(back * translation(left), back * matrix(left));
  return true;
}

AffineMotion warp(const AffineMotion& linear) noexcept {
  const Matrix3d J = mean_rotation(turn_of(linear));
  return motion_of(J * translation(linear), J * matrix(linear));
}

AffineMotion with(const WholeMotion& whole, const AffineMotion& left,
                  const Vector3d& centre) noexcept {
  const Vector3d T = whole.p + whole.R * (centre + translation(left)) - centre;
  const Matrix3d M = whole.R * (Matrix3d::Identity() + matrix(left)) - Matrix3d::Identity();
  return motion_of(T, M);
}

}  // namespace pliant
