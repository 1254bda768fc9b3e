// SPDX-License-Identifier: MIT
// How far sets of points of a LinearShape can have moved, without looking at the points. For every
// point s of set k, with its centre o (U_o = 0 for a set without):
//
//   |U_s c - U_o c| <= min( sum_j a_kj |c_j|, b_k |c| )
//
//   a_kj = max_s |U_s,j - U_o,j|   largest displacement by coefficient j: [Barbic07] (3.12)
//   b_k  = max_s |U_s - U_o|       largest spectral norm: better where many coefficients act
//
// So a sphere about the deformed centre of radius max_s |X_s - X_o| + bound holds the deformed set.
// r multiplications a set, whose roundings are allowed for; those of a position that LinearShape
// gives (some epsilons of its size) are not.
#pragma once

#include <span>

#include "pliant/shape/linear_shape.hpp"

namespace pliant {

class DisplacementBounds {
 public:
  // The points of set k: points[first[k]] .. points[first[k + 1] - 1]. centres: one a set, or
  // empty. Throws Error for a point that does not exist or `first` not ascending from 0 to the
  // number of points.
  DisplacementBounds(const LinearShape& shape, std::span<const int> points,
                     std::span<const int> first, std::span<const int> centres = {});

  Index set_count() const { return a_.cols(); }
  Index byte_count() const { return 4 * (a_.size() + b_.size()); }
  // c: the first r' <= r coefficients. Infinite if c is not finite.
  float operator()(Index k, const VectorXf& c) const noexcept;
  // The same for many sets and one c, of which |c_j| and |c| are given.
  float operator()(Index k, const VectorXf& sizes, float norm) const noexcept;

 private:
  Eigen::MatrixXf a_;  // r by #sets
  VectorXf b_;         // #sets
};

}  // namespace pliant
