// SPDX-License-Identifier: MIT
// The point of a triangle closest to another point; any triangle, also one without area.
#pragma once

#include <algorithm>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

struct TrianglePoint {
  Vector3d weights;  // barycentric: point = a w0 + b w1 + c w2
  Vector3d point;
  double squared_distance;
};

inline TrianglePoint closest_on_triangle(const Vector3d& p, const Vector3d& a, const Vector3d& b,
                                         const Vector3d& c) {
  const Vector3d ab = b - a, ac = c - a, ap = p - a;
  const Vector3d n = ab.cross(ac);
  const double nn = n.squaredNorm();
  if (nn > 0) {
    const double w1 = ap.cross(ac).dot(n) / nn;
    const double w2 = ab.cross(ap).dot(n) / nn;
    if (w1 >= 0 && w2 >= 0 && w1 + w2 <= 1) {
      const Vector3d q = a + w1 * ab + w2 * ac;
      return {{1 - w1 - w2, w1, w2}, q, (p - q).squaredNorm()};
    }
  }
  // Not over the triangle: the closest point is on an edge.
  const Vector3d* corner[3] = {&a, &b, &c};
  TrianglePoint best{};
  for (int e = 0; e < 3; ++e) {
    const int f = (e + 1) % 3;
    const Vector3d d = *corner[f] - *corner[e];
    const double dd = d.squaredNorm();
    const double t = dd > 0 ? std::clamp((p - *corner[e]).dot(d) / dd, 0.0, 1.0) : 0.0;
    const Vector3d q = *corner[e] + t * d;
    const double distance = (p - q).squaredNorm();
    if (e > 0 && !(distance < best.squared_distance)) continue;
    best = {Vector3d::Zero(), q, distance};
    best.weights[e] = 1 - t;
    best.weights[f] = t;
  }
  return best;
}

}  // namespace pliant
