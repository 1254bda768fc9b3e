// SPDX-License-Identifier: MIT
// The vademecum itself: the answer c of a body, within its r shapes, to one load at node s, in
// direction e, of magnitude t, as a sum of n separated terms, [Gonzalez15] (2):
//
//   c(s, e, t) = sum_k Z_k Y_k(s) D_k(e) T_k(t)          u(x, s, e, t) = U(x) c = sum_k X_k Y_k D_k T_k
//
//   Z   r by n, X_k = U Z_k        Y, D   n by #s, n by #e
//   T   n by #t: of the magnitudes t_j = (j + 1) t_max / #t; at t = 0 they vanish
//
// Magnitudes are taken by the cubic through the four nearest, beyond the largest along the last step;
// places between nodes by those who look up (load_finder.hpp): as the nearest node, or linearly in s.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

struct SeparatedWeights {
  MatrixXd Z, Y, D, T;
  double largest = 0.0;  // t_max [N]

  Index terms() const { return Z.cols(); }
  // T(t), n numbers; t >= 0. c = Z w with w = sum of factor Y(s) D(e) T(t), entry by entry.
  void magnitude_weights(double t, VectorXd& weights) const noexcept;
  void add(Index s, Index e, double factor, const VectorXd& magnitude, VectorXd& w) const noexcept {
    w.array() += factor * Y.col(s).array() * D.col(e).array() * magnitude.array();
  }
  // c(s, e, t), of the first so many terms; < 0: of all.
  VectorXd answer(Index s, Index e, double t, Index terms = -1) const;
  // Of every load s + #s e, as it grows in equal steps to the largest: r by `levels` each.
  std::vector<MatrixXd> paths(int levels) const;
};

}  // namespace pliant
