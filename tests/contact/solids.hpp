// SPDX-License-Identifier: MIT
// Bodies whose distance is known.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "pliant/base/random.hpp"
#include "pliant/contact/bake/distance_grid.hpp"

namespace pliant::test {

struct Solid {
  std::string name;
  std::function<double(const Vector3d&)> D;
  Eigen::AlignedBox3d box;
};

inline Eigen::AlignedBox3d half_sides(double x, double y, double z) {
  return {Vector3d(-x, -y, -z), Vector3d(x, y, z)};
}

inline Solid sphere(double radius = 0.7) {
  return {"sphere", [=](const Vector3d& x) { return x.norm() - radius; },
          half_sides(radius, radius, radius)};
}
inline Solid box() {
  return {"box",
          [](const Vector3d& x) {
            const Vector3d q = x.cwiseAbs() - Vector3d(1, 0.5, 0.3);
            return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
          },
          half_sides(1, 0.5, 0.3)};
}
inline Solid torus() {
  return {"torus",
          [](const Vector3d& x) { return std::hypot(std::hypot(x[0], x[1]) - 0.8, x[2]) - 0.2; },
          half_sides(1, 1, 0.2)};
}
// Thinner than a cell: the hardest for what the interpolated field says of a neighbourhood.
inline Solid wire() {
  return {"wire",
          [](const Vector3d& x) {
            const Vector3d axis = Vector3d(1, 2, 2) / 3;
            const double along = std::max(std::abs(x.dot(axis)) - 1, 0.0);
            return std::hypot(along, (x - x.dot(axis) * axis).norm()) - 0.01;
          },
          half_sides(0.4, 0.7, 0.7)};
}
inline const std::vector<Solid>& solids() {
  static const std::vector<Solid> all = {sphere(), box(), torus(), wire()};
  return all;
}

inline DistanceField field_of(const Solid& solid,
                              const DistanceGridOptions& options = {.resolution = 64}) {
  return DistanceField(distance_grid(
      [&](const Matrix3Xd& P) {
        VectorXd d(P.cols());
        for (Index k = 0; k < d.size(); ++k) d[k] = solid.D(P.col(k));
        return d;
      },
      solid.box, options));
}

inline Vector3d direction(Random& random) {
  return Vector3d(random.normal(), random.normal(), random.normal()).normalized();
}

}  // namespace pliant::test
