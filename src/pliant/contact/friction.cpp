// SPDX-License-Identifier: MIT
#include "pliant/contact/friction.hpp"

namespace pliant {

FrictionAnchors::Spring FrictionAnchors::hold(int point, const Vector3d& x, const Vector3d& n,
                                              const Vector3d& v, const Vector3d& carried, double k,
                                              double d, double most) noexcept {
  const auto at = static_cast<std::size_t>(point);
  const bool fresh = last_[at] != cycle_ - 1;
  last_[at] = cycle_;
  Vector3d stretch =
      fresh ? Vector3d::Zero().eval() : Vector3d(x - anchors_[at].cast<double>() - dt_ * carried);
  stretch -= stretch.dot(n) * n;
  const double pull = k * stretch.norm();
  if (pull > most) stretch *= most / pull;
  anchors_[at] = (x - stretch).cast<float>();
  Vector3d force = -k * stretch - d * (v - v.dot(n) * n);
  const double size = force.norm();
  const bool sticks = pull <= most && size <= most;
  if (size > most) force *= most / size;
  return {force, sticks};
}

}  // namespace pliant
