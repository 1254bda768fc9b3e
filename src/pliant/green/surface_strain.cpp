// SPDX-License-Identifier: MIT
#include "pliant/green/surface_strain.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace pliant {

SurfaceStrain::SurfaceStrain(const Matrix3Xd& rest, const Matrix3Xi& triangles,
                             const std::vector<int>& node, const std::vector<char>& follows) {
  std::vector<int> number(static_cast<std::size_t>(rest.cols()), -1);
  for (std::size_t k = 0; k < node.size(); ++k) {
    number[static_cast<std::size_t>(node[k])] = static_cast<int>(k);
  }
  for (Index t = 0; t < triangles.cols(); ++t) {
    Triangle triangle;
    bool late = false;
    for (int c = 0; c < 3; ++c) {
      const auto v = static_cast<std::size_t>(triangles(c, t));
      late = late || follows[v] != 0;
      triangle.node[static_cast<std::size_t>(c)] = number[v];
      triangle.held.col(c) = rest.col(triangles(c, t));
    }
    const Vector3d a = triangle.held.col(1) - triangle.held.col(0),
                   b = triangle.held.col(2) - triangle.held.col(0);
    const double length = a.norm(), area = a.cross(b).norm();
    if (late || !(area > 0)) continue;
    Eigen::Matrix2d sides;
    sides << length, a.dot(b) / length, 0, area / length;
    triangle.inverse = sides.inverse();
    triangles_.push_back(triangle);
  }
  first_.assign(node.size() + 1, 0);
  const auto each_corner = [&](const auto& visit) {
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      for (const int k : triangles_[t].node) {
        if (k >= 0) visit(static_cast<std::size_t>(k), t);
      }
    }
  };
  each_corner([&](std::size_t k, std::size_t) { ++first_[k + 1]; });
  for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
  of_.resize(first_.back());
  std::vector<std::size_t> next = first_;
  each_corner([&](std::size_t k, std::size_t t) { of_[next[k]++] = t; });
}

double SurfaceStrain::stretch(const Triangle& triangle, const Matrix3d& now) noexcept {
  Eigen::Matrix<double, 3, 2> sides;
  sides << now.col(1) - now.col(0), now.col(2) - now.col(0);
  const Eigen::Matrix<double, 3, 2> F = sides * triangle.inverse;
  // The eigenvalues of F^T F.
  const double a = F.col(0).squaredNorm(), b = F.col(1).squaredNorm(), c = F.col(0).dot(F.col(1));
  const double mean = 0.5 * (a + b), apart = std::hypot(0.5 * (a - b), c);
  return std::max(std::sqrt(mean + apart) - 1, 1 - std::sqrt(std::max(mean - apart, 0.0)));
}

}  // namespace pliant
