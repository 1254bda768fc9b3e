// SPDX-License-Identifier: MIT
// A x = b for a small dense symmetric positive definite A, without allocation: A = L D L^T, L with
// unit diagonal, D positive. Four columns at a time update those to their right, two by two, in
// packs of four rows; storage is padded to whole packs with rows and columns of the identity.
//
// The factors of the leading n' by n' part of A are the leading parts of L and D: one factorisation
// serves every n' <= n.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

class DenseSolver {
 public:
  explicit DenseSolver(Index max_size);

  // Factors A, n by n with n <= max_size; its lower triangle is read. False if it is not positive
  // definite (or not finite); there is nothing to solve with then.
  bool factor(const Eigen::Ref<const MatrixXd>& A) noexcept;
  // x: b, then the solution; of the leading x.size() <= n unknowns.
  void solve(Eigen::Ref<VectorXd> x) const noexcept;
  // b.A^-1 b = |D^-1/2 L^-1 b|^2; x: b, then scratch.
  double inverse_form(Eigen::Ref<VectorXd> x) const noexcept;

 private:
  static constexpr Index pack = 4;
  void substitute_forward(Eigen::Ref<VectorXd> x) const noexcept;
  bool factor_panel(Index end, Index k, double (&pivots)[pack]) noexcept;
  void update_right_of_panel(Index end, Index k, const double (&pivots)[pack]) noexcept;

  Index stride_;            // max_size, rounded up to whole packs
  MatrixXd L_;              // stride by stride, below the diagonal
  VectorXd inverse_pivot_;  // 1 / D
};

}  // namespace pliant
