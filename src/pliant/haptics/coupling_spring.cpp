// SPDX-License-Identifier: MIT
#include "pliant/haptics/coupling_spring.hpp"

#include "pliant/base/rotation.hpp"

namespace pliant {
namespace {

constexpr double tiny = 1e-12;  // below it a direction has no meaning

struct Pulled {
  Vector3d value;
  Matrix3d gradient;  // by v
};

// f(|v|) v / |v|
Pulled pull_along(const Saturation& f, const Vector3d& v) noexcept {
  const double size = v.norm();
  if (size < tiny) return {f.stiffness * v, f.stiffness * Matrix3d::Identity()};
  const Saturation::Value at = f.at(size);
  const Vector3d e = v / size;
  const double across = at.force / size;
  return {at.force * e, across * Matrix3d::Identity() + (at.slope - across) * e * e.transpose()};
}

}  // namespace

SpringWrench spring_wrench(const CouplingSpring& spring, const Pose& object,
                           const Pose& hand) noexcept {
  SpringWrench out;
  out.apart = hand.position - object.position;
  Eigen::Quaterniond q = hand.rotation * object.rotation.conjugate();
  if (q.w() < 0) q.coeffs() = -q.coeffs();  // (4.15)
  out.turned = rotation_vector(q);

  const Pulled force = pull_along(spring.force, out.apart);
  const Pulled torque = pull_along(spring.torque, q.vec());
  out.wrench << force.value, torque.value;
  out.linear << spring.force.stiffness * out.apart, spring.torque.stiffness * q.vec();
  out.gradient.setZero();
  out.gradient.topLeftCorner<3, 3>() = -force.gradient;                                    // (4.40)
  const Matrix3d turning = -0.5 * (q.w() * Matrix3d::Identity() + cross_matrix(q.vec()));  // (4.24)
  out.gradient.bottomRightCorner<3, 3>() = torque.gradient * turning;
  return out;
}

}  // namespace pliant
