// SPDX-License-Identifier: MIT
// The smallest box along the axes that holds all points (3 by #P), or those that triangles use
// (3 by #T, indices of points). Empty if there is no point.
#pragma once

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

inline Eigen::AlignedBox3d bounds(const Eigen::Ref<const Matrix3Xd>& points) {
  if (points.cols() == 0) return {};
  return {Vector3d(points.rowwise().minCoeff()), Vector3d(points.rowwise().maxCoeff())};
}

inline Eigen::AlignedBox3d bounds(const Matrix3Xd& points, const Matrix3Xi& triangles) {
  Eigen::AlignedBox3d box;
  for (const int p : triangles.reshaped()) box.extend(Vector3d(points.col(p)));
  return box;
}

// Of a box, which is 0 if it is empty: the length of its diagonal and of its longest side.
inline double diagonal(const Eigen::AlignedBox3d& box) {
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}
inline double longest_side(const Eigen::AlignedBox3d& box) {
  return box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
}

}  // namespace pliant
