// SPDX-License-Identifier: MIT
#include "pliant/green/control_motion.hpp"

#include <Eigen/SVD>

namespace pliant {
namespace {

// Of the two smallest singular values of a mean of rotations, below which its nearest rotation is
// not unique to rounding.
constexpr double least_definite = 1e-6;

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

AffineMotion with(const WholeMotion& whole, const AffineMotion& left,
                  const Vector3d& centre) noexcept {
  const Vector3d T = whole.p + whole.R * (centre + translation(left)) - centre;
  const Matrix3d M = whole.R * (Matrix3d::Identity() + matrix(left)) - Matrix3d::Identity();
  return motion_of(T, M);
}

}  // namespace pliant
