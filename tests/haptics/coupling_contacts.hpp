// SPDX-License-Identifier: MIT
// Penalty contact of some points of a held object with planes, for the tests of couplings: [Barbic07]
// 4.7, "multiplane penalty contact".
#pragma once

#include <vector>

#include "pliant/base/rotation.hpp"
#include "pliant/haptics/static_coupling.hpp"

namespace pliant::test {

struct Plane {
  Vector3d normal;  // out of the wall
  double offset;    // the wall: normal . x < offset
};

struct HeldPoint {
  Vector3d X;  // against the grasped point, in the object's frame
};

struct PlaneContacts {
  std::vector<HeldPoint> points;
  std::vector<Plane> planes;
  double stiffness = 1000;

  HeldContact at(const Pose& object, double* deepest = nullptr) const {
    HeldContact sum;
    for (const HeldPoint& point : points) {
      const Vector3d r = object.rotation * point.X, x = object.position + r;
      for (const Plane& plane : planes) {
        const double depth = plane.offset - plane.normal.dot(x);
        if (depth <= 0) continue;
        if (deepest) *deepest = std::max(*deepest, depth);
        const Vector3d f = stiffness * depth * plane.normal;
        Vector6d J;  // of the depth, negated
        J << plane.normal, r.cross(plane.normal);
        Vector6d own;
        own << f, r.cross(f);
        sum.wrench += own;
        sum.gradient -= stiffness * J * J.transpose();
        // The arm of the force turns, too.
        sum.gradient.bottomRightCorner<3, 3>() += cross_matrix(f) * cross_matrix(r);
      }
    }
    return sum;
  }
};

}  // namespace pliant::test
