// SPDX-License-Identifier: MIT
// An object that a hand holds, touching a body that deforms: both are moved by one system of 6 + r
// unknowns, the extension that [Barbic07] 4.2 leaves for later. Over a step h,
//
//   on the object   F + C y - K z                         z     how far the object goes
//   of the body     A (h c' + y) = b + C^T (z - h V)      y     how far its coefficients go beyond
//                                                               h c', where they go at their rate
//
//   F, K   on the object, with the body at its rate       A, b  of the body's step: A dc = b, with the
//   V      the rate of the object, in which b was taken         object at its rate
//   C      sum_i (k_i + d_i / h) j_i u_i^T: 6 by r, of contacts with normal n_i at x_i, whose point of
//          the body moves by u_i . dc along n_i and whose point of the object by
//          j_i . z,  j_i = (n_i, (x_i - g) x n_i)
//
// The body is eliminated: what is left is a contact that yields,
//
//   F + C A^-1 (b - A h c' - h C^T V)  - (K - C A^-1 C^T) z
//
// for the 6 x 6 system of the coupling; and once z is known the body's load is C^T (z - h V) more.
#pragma once

#include <Eigen/Cholesky>

#include "pliant/haptics/static_coupling.hpp"

namespace pliant {

class YieldingContact {
 public:
  explicit YieldingContact(Index r) : A(r, r), b(r), C(6, r), solver_(r), solved_(r, 6), free_(r) {}

  // Of one step, filled by the owner: A (of which the lower triangle counts) and b wholly, C from zero.
  MatrixXd A;
  VectorXd b;
  Eigen::Matrix<double, 6, Eigen::Dynamic> C;

  // --- online: nothing is allocated.
  // A contact: j and u as above, `stiffness` k_i + d_i / h.
  template <class Derived>
  void add(const Vector6d& j, const Eigen::MatrixBase<Derived>& u, double stiffness) noexcept {
    for (Index k = 0; k < C.cols(); ++k) C.col(k) += (stiffness * u[k]) * j;
  }
  // `at_rate`: h c'. `object_at_rate`: h V. False, and nothing is changed: A is not positive definite.
  bool eliminate(const Eigen::Ref<const VectorXd>& at_rate, const Vector6d& object_at_rate,
                 HeldContact& contact) noexcept {
    solver_.compute(A);
    if (solver_.info() != Eigen::Success) return false;
    solved_ = C.transpose();
    solver_.solveInPlace(solved_);
    free_ = b;
    free_.noalias() -= A.selfadjointView<Eigen::Lower>() * at_rate;
    free_.noalias() -= C.transpose() * object_at_rate;
    contact.wrench.noalias() += solved_.transpose() * free_;
    contact.gradient.noalias() += C * solved_;
    return true;
  }

 private:
  Eigen::LLT<MatrixXd> solver_;
  Eigen::Matrix<double, Eigen::Dynamic, 6> solved_;  // A^-1 C^T
  VectorXd free_;
};

}  // namespace pliant
