// SPDX-License-Identifier: MIT
#include "pliant/green/active_factor.hpp"

#include <cmath>

#include <Eigen/Core>

namespace pliant {

bool ActiveCholesky::factorise(Index n) noexcept {
  n_ = 0;
  for (Index j = 0; j < n; ++j) {
    auto column = L_.col(j).segment(j, n - j);
    column.noalias() -= L_.block(j, 0, n - j, j) * L_.row(j).head(j).transpose();
    if (!(column[0] > 0)) return false;
    column /= std::sqrt(column[0]);
  }
  n_ = n;
  return true;
}

void ActiveCholesky::solve_lower(Eigen::Ref<VectorXd> b) const noexcept {
  auto x = b.head(n_);
  L_.topLeftCorner(n_, n_).triangularView<Eigen::Lower>().solveInPlace(x);
}

void ActiveCholesky::solve(VectorXd& b) const noexcept {
  auto x = b.head(n_);
  const auto lower = L_.topLeftCorner(n_, n_).triangularView<Eigen::Lower>();
  lower.solveInPlace(x);
  lower.transpose().solveInPlace(x);
}

bool ActiveCholesky::enter(const double* a, double d) noexcept {
  row_.head(n_) = Eigen::Map<const VectorXd>(a, n_);
  solve_lower(row_);
  const double left = d - row_.head(n_).squaredNorm();
  if (!(left > 0)) return false;
  L_.row(n_).head(n_) = row_.head(n_).transpose();
  L_(n_, n_) = std::sqrt(left);
  ++n_;
  return true;
}

void ActiveCholesky::leave(Index at) noexcept {
  const Index below = n_ - at - 1;
  auto x = row_.head(below);
  x = L_.col(at).segment(at + 1, below);
  // Rows and columns behind it move up, a column at a time, and take x in: L L^T + x x^T.
  for (Index i = at + 1; i < n_; ++i) L_.row(i - 1).head(at) = L_.row(i).head(at);
  for (Index k = 0; k < below; ++k) {
    const Index from = at + 1 + k, to = at + k, rest = below - k - 1;
    const double l = L_(from, from), r = std::hypot(l, x[k]), c = r / l, s = x[k] / l;
    L_(to, to) = r;
    for (Index i = 0; i < rest; ++i) {
      const double value = (L_(from + 1 + i, from) + s * x[k + 1 + i]) / c;
      x[k + 1 + i] = c * x[k + 1 + i] - s * value;
      L_(to + 1 + i, to) = value;
    }
  }
  --n_;
}

bool ActiveInverse::enter(const double* a, double d) noexcept {
  const Eigen::Map<const VectorXd> column(a, n_);
  auto y = row_.head(n_);
  y.noalias() = B_.topLeftCorner(n_, n_) * column;
  const double schur = d - column.dot(y);
  if (!(schur > 0)) return false;
  for (Index j = 0; j < n_; ++j) B_.col(j).head(n_) += y[j] / schur * y;
  B_.col(n_).head(n_) = -y / schur;
  B_.row(n_).head(n_) = B_.col(n_).head(n_).transpose();
  B_(n_, n_) = 1 / schur;
  ++n_;
  return true;
}

void ActiveInverse::leave(Index at) noexcept {
  const double own = B_(at, at);
  row_.head(n_) = B_.col(at).head(n_);
  for (Index j = 0; j < n_; ++j) {
    if (j == at) continue;
    const Index to = j > at ? j - 1 : j;
    const double factor = row_[j] / own;
    for (Index i = 0; i < n_; ++i) {
      if (i != at) B_(i > at ? i - 1 : i, to) = B_(i, j) - factor * row_[i];
    }
  }
  --n_;
}

void ActiveInverse::solve(VectorXd& b) noexcept {
  auto x = x_.head(n_);
  x.noalias() = B_.topLeftCorner(n_, n_) * b.head(n_);
  b.head(n_) = x;
}

}  // namespace pliant
