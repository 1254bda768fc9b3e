// SPDX-License-Identifier: MIT
// Solutions of A_FF x = b while rows enter and leave F, without a factorisation each time, [Klimenko03]
// appendix 3. Two ways with one set of functions, n^2 work an exchange where a new factor takes n^3 / 3:
//
//   ActiveCholesky   A_FF = L L^T. A row that enters is one more row of L; for one that leaves, the rows
//                    below take its column in by rotations (Golub and Van Loan, Matrix Computations, 6.5.4)
//   ActiveInverse    A_FF^-1 itself, bordered by the row that enters, and corrected by a matrix of rank one
//                    for the row that leaves (Sherman-Morrison-Woodbury)
//
// Rows have the order in which they entered. Nothing is allocated after construction.
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

class ActiveCholesky {
 public:
  explicit ActiveCholesky(Index most) : L_(MatrixXd::Zero(most, most)), row_(most) {}

  Index size() const { return n_; }
  void clear() noexcept { n_ = 0; }
  // a: A of the new row with those that are in; d: with itself. False, and nothing changes: it would not
  // be positive.
  bool enter(const double* a, double d) noexcept;
  void leave(Index at) noexcept;
  // All at once: A(i, j) of rows i >= j. False: not positive, and none is in.
  template <class Entry>
  bool factor(Index n, const Entry& A) noexcept {
    for (Index j = 0; j < n; ++j) {
      for (Index i = j; i < n; ++i) L_(i, j) = A(i, j);
    }
    return factorise(n);
  }
  void solve(VectorXd& b) const noexcept;                   // the first size() of b
  void solve_lower(Eigen::Ref<VectorXd> b) const noexcept;  // L x = b

 private:
  bool factorise(Index n) noexcept;

  MatrixXd L_;
  VectorXd row_;
  Index n_ = 0;
};

class ActiveInverse {
 public:
  explicit ActiveInverse(Index most) : B_(MatrixXd::Zero(most, most)), row_(most), x_(most) {}

  Index size() const { return n_; }
  void clear() noexcept { n_ = 0; }
  bool enter(const double* a, double d) noexcept;
  void leave(Index at) noexcept;
  void solve(VectorXd& b) noexcept;

 private:
  MatrixXd B_;
  VectorXd row_, x_;
  Index n_ = 0;
};

}  // namespace pliant
