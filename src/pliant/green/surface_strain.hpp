// SPDX-License-Identifier: MIT
// How much a surface is stretched about the nodes on which forces act. With X the corners of a triangle
// at rest, in axes of its plane, and x those of it now,
//
//   F = (x_1 - x_0, x_2 - x_0) (X_1 - X_0, X_2 - X_0)^-1      3 by 2
//
// and the stretch is the singular value of F that is farthest from 1, less 1. It is that of lengths:
// a triangle that is turned is not stretched.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

class SurfaceStrain {
 public:
  SurfaceStrain() = default;
  // Nodes of the surface at rest; triangles: of them; node: those that can move freely. Triangles of
  // others than these and those that are held are left out: `follows` says which come late.
  SurfaceStrain(const Matrix3Xd& rest, const Matrix3Xi& triangles, const std::vector<int>& node,
                const std::vector<char>& follows);

  // Of the triangles at free node i, whose places now are x(k) of free node k. Nothing is allocated.
  template <class Place>
  double at(Index i, const Place& x) const noexcept {
    double most = 0;
    const auto node = static_cast<std::size_t>(i);
    for (std::size_t t = first_[node]; t < first_[node + 1]; ++t) {
      const Triangle& triangle = triangles_[of_[t]];
      Matrix3d now;
      for (int c = 0; c < 3; ++c) {
        const int k = triangle.node[static_cast<std::size_t>(c)];
        now.col(c) = k >= 0 ? Vector3d(x(k)) : triangle.held.col(c);
      }
      most = std::max(most, stretch(triangle, now));
    }
    return most;
  }
  bool empty() const noexcept { return triangles_.empty(); }

 private:
  struct Triangle {
    std::array<int, 3> node;  // numbers of free nodes; -1: held
    Matrix3d held;            // where corners are that are held
    Eigen::Matrix2d inverse;  // of the sides at rest
  };
  static double stretch(const Triangle& triangle, const Matrix3d& now) noexcept;

  std::vector<Triangle> triangles_;
  std::vector<std::size_t> first_, of_;  // triangles of free node i: of_[first_[i]] ..
};

}  // namespace pliant
