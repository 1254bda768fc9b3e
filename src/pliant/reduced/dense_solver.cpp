// SPDX-License-Identifier: MIT
#include "pliant/reduced/dense_solver.hpp"

#include <algorithm>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

constexpr Index pack = 4;
// A pivot below this part of its diagonal entry is rounding.
constexpr double smallest_pivot = 1e-14;

using Pack = Eigen::Array4d;

Eigen::Map<Pack> at(double* x) {
  return Eigen::Map<Pack>(x);
}
Eigen::Map<const Pack> at(const double* x) {
  return Eigen::Map<const Pack>(x);
}

}  // namespace

DenseSolver::DenseSolver(Index max_size)
    : stride_((max_size + pack - 1) / pack * pack),
      L_(MatrixXd::Zero(stride_, stride_)),
      inverse_pivot_(VectorXd::Ones(stride_)) {}

bool DenseSolver::factor(const Eigen::Ref<const MatrixXd>& A) noexcept {
  const Index n = A.rows();
  PLIANT_ASSERT(n <= stride_ && A.cols() == n, "the matrix must fit into the solver");
  const Index end = (n + pack - 1) / pack * pack;
  for (Index j = 0; j < n; ++j) {
    auto column = L_.col(j);
    column.segment(j / pack * pack, j % pack).setZero();
    column.segment(j, n - j) = A.col(j).tail(n - j);
    column.segment(n, end - n).setZero();
    inverse_pivot_[j] = A(j, j);  // for the comparison with the pivot
  }
  double pivots[pack];
  for (Index k = 0; k < n; k += pack) {
    const Index width = std::min(pack, n - k);
    if (!factor_panel(n, k, width, pivots)) return false;
    if (width == pack) update_right_of_panel(n, k, pivots);
  }
  return true;
}

// Columns k .. k + width - 1, which the panels to the left have updated.
bool DenseSolver::factor_panel(Index n, Index k, Index width, double (&pivots)[4]) noexcept {
  double* const first = L_.data() + k * stride_;
  for (Index c = 0; c < width; ++c) {
    double* const column = first + c * stride_;
    for (Index p = 0; p < c; ++p) {
      const double* const left = first + p * stride_;
      const double factor = pivots[p] * left[k + c];
      for (Index i = k; i < n; i += pack) at(column + i) -= factor * at(left + i);
    }
    const double pivot = column[k + c];
    if (!(pivot > smallest_pivot * inverse_pivot_[k + c])) return false;
    pivots[c] = pivot;
    inverse_pivot_[k + c] = 1.0 / pivot;
    for (Index i = k; i < n; i += pack) at(column + i) *= inverse_pivot_[k + c];
  }
  return true;
}

void DenseSolver::update_right_of_panel(Index n, Index k, const double (&pivots)[4]) noexcept {
  const double* const l0 = L_.data() + k * stride_;
  const double* const l1 = l0 + stride_;
  const double* const l2 = l1 + stride_;
  const double* const l3 = l2 + stride_;
  Index j = k + pack;
  for (; j + 1 < n; j += 2) {
    double* const x = L_.data() + j * stride_;
    double* const y = x + stride_;
    const double x0 = pivots[0] * l0[j], x1 = pivots[1] * l1[j];
    const double x2 = pivots[2] * l2[j], x3 = pivots[3] * l3[j];
    const double y0 = pivots[0] * l0[j + 1], y1 = pivots[1] * l1[j + 1];
    const double y2 = pivots[2] * l2[j + 1], y3 = pivots[3] * l3[j + 1];
    for (Index i = j / pack * pack; i < n; i += pack) {
      const Pack a = at(l0 + i), b = at(l1 + i), c = at(l2 + i), d = at(l3 + i);
      at(x + i) -= x0 * a + x1 * b + x2 * c + x3 * d;
      at(y + i) -= y0 * a + y1 * b + y2 * c + y3 * d;
    }
  }
  if (j < n) {
    double* const x = L_.data() + j * stride_;
    const double x0 = pivots[0] * l0[j], x1 = pivots[1] * l1[j];
    const double x2 = pivots[2] * l2[j], x3 = pivots[3] * l3[j];
    for (Index i = j / pack * pack; i < n; i += pack) {
      at(x + i) -= x0 * at(l0 + i) + x1 * at(l1 + i) + x2 * at(l2 + i) + x3 * at(l3 + i);
    }
  }
}

void DenseSolver::solve(Eigen::Ref<VectorXd> x) const noexcept {
  const Index n = x.size();
  for (Index k = 0; k + 1 < n; ++k) {
    x.tail(n - k - 1) -= x[k] * L_.col(k).segment(k + 1, n - k - 1);
  }
  x.array() *= inverse_pivot_.head(n).array();
  for (Index k = n - 2; k >= 0; --k) {
    x[k] -= L_.col(k).segment(k + 1, n - k - 1).dot(x.tail(n - k - 1));
  }
}

}  // namespace pliant
