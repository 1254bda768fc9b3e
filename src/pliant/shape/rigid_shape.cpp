// SPDX-License-Identifier: MIT
#include "pliant/shape/rigid_shape.hpp"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

// Distance to a point, with a direction for the point itself.
double from_point(const Vector3d& d, double radius, Vector3d& normal) {
  const double length = d.norm();
  normal = length > 0 ? Vector3d(d / length) : Vector3d::UnitZ();
  return length - radius;
}

// Away from the z axis.
Vector3d radial(const Vector3d& x) {
  const double length = x.head<2>().norm();
  return length > 0 ? Vector3d(x[0] / length, x[1] / length, 0) : Vector3d::UnitX();
}

double from_box(const Vector3d& x, const Vector3d& half, Vector3d& normal) {
  const Vector3d q = x.cwiseAbs() - half;
  const Vector3d sign = x.unaryExpr([](double t) { return t < 0 ? -1.0 : 1.0; });
  if (q.maxCoeff() > 0) {
    const Vector3d outside = q.cwiseMax(0.0);
    const double distance = outside.norm();
    normal = outside.cwiseProduct(sign) / distance;
    return distance;
  }
  int axis;
  const double distance = q.maxCoeff(&axis);
  normal = sign[axis] * Vector3d::Unit(axis);
  return distance;
}

}  // namespace

double RigidShape::distance(const Vector3d& x, Vector3d& normal) const noexcept {
  const Vector3d local = rotation.transpose() * (x - position);
  Vector3d n;
  double d = 0.0;
  switch (kind) {
    case Kind::plane:
      d = local[2];
      n = Vector3d::UnitZ();
      break;
    case Kind::sphere:
      d = from_point(local, size[0], n);
      break;
    case Kind::capsule:
      d = from_point(local - Vector3d(0, 0, std::clamp(local[2], -size[1], size[1])), size[0], n);
      break;
    case Kind::box:
      d = from_box(local, size, n);
      break;
    case Kind::cylinder: {
      // A rectangle, turned about z.
      const Vector3d out = radial(local);
      Vector3d flat;
      d = from_box({out.dot(local), 0, local[2]},
                   {size[0], std::numeric_limits<double>::max(), size[1]}, flat);
      n = flat[0] * out + flat[2] * Vector3d::UnitZ();
      break;
    }
    case Kind::torus:
      d = from_point(local - size[0] * radial(local), size[1], n);
      break;
  }
  normal = rotation * n;
  return d;
}

}  // namespace pliant
