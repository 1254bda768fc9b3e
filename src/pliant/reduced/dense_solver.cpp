// SPDX-License-Identifier: MIT
#include "pliant/reduced/dense_solver.hpp"

#include <algorithm>

#include "pliant/base/assert.hpp"
#include "pliant/base/pack.hpp"

namespace pliant {
namespace {

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
    const double* const a = A.data() + j * A.outerStride();
    double* const column = L_.data() + j * stride_;
    std::copy(a + j, a + n, column + j);
    std::fill(column + n, column + end, 0.0);
    inverse_pivot_[j] = A(j, j);  // for the comparison with the pivot
  }
  for (Index j = n; j < end; ++j) {
    std::fill_n(&L_(j, j), end - j, 0.0);
    L_(j, j) = inverse_pivot_[j] = 1.0;
  }
  double pivots[pack];
  for (Index k = 0; k < end; k += pack) {
    if (!factor_panel(end, k, pivots)) return false;
    update_right_of_panel(end, k, pivots);
  }
  return true;
}

// Columns k .. k + 3, which the panels to the left have updated.
bool DenseSolver::factor_panel(Index end, Index k, double (&pivots)[pack]) noexcept {
  double* const l0 = L_.data() + k * stride_;
  double* const l1 = l0 + stride_;
  double* const l2 = l1 + stride_;
  double* const l3 = l2 + stride_;
  double* const columns[pack] = {l0, l1, l2, l3};
  double corner[pack][pack];  // of L, column by column
  PLIANT_UNROLL
  for (Index c = 0; c < pack; ++c) {
    double sums[pack];
    PLIANT_UNROLL
    for (Index i = c; i < pack; ++i) {
      sums[i] = columns[c][k + i];
      PLIANT_UNROLL
      for (Index p = 0; p < c; ++p) sums[i] -= corner[p][i] * (pivots[p] * corner[p][c]);
    }
    if (!(sums[c] > smallest_pivot * inverse_pivot_[k + c])) return false;
    pivots[c] = sums[c];
    inverse_pivot_[k + c] = 1.0 / sums[c];
    PLIANT_UNROLL
    for (Index i = c; i < pack; ++i) {
      columns[c][k + i] = corner[c][i] = sums[i] * inverse_pivot_[k + c];
    }
  }
  for (Index i = k + pack; i < end; i += pack) {
    const Pack y0 = at(l0 + i);
    const Pack y1 = at(l1 + i) - corner[0][1] * y0;
    const Pack y2 = at(l2 + i) - corner[0][2] * y0 - corner[1][2] * y1;
    const Pack y3 = at(l3 + i) - corner[0][3] * y0 - corner[1][3] * y1 - corner[2][3] * y2;
    at(l0 + i) = y0 * inverse_pivot_[k];
    at(l1 + i) = y1 * inverse_pivot_[k + 1];
    at(l2 + i) = y2 * inverse_pivot_[k + 2];
    at(l3 + i) = y3 * inverse_pivot_[k + 3];
  }
  return true;
}

void DenseSolver::update_right_of_panel(Index end, Index k, const double (&pivots)[pack]) noexcept {
  const double* const l0 = L_.data() + k * stride_;
  const double* const l1 = l0 + stride_;
  const double* const l2 = l1 + stride_;
  const double* const l3 = l2 + stride_;
  for (Index j = k + pack; j < end; j += 2) {
    double* const x = L_.data() + j * stride_;
    double* const y = x + stride_;
    const double x0 = pivots[0] * l0[j], x1 = pivots[1] * l1[j];
    const double x2 = pivots[2] * l2[j], x3 = pivots[3] * l3[j];
    const double y0 = pivots[0] * l0[j + 1], y1 = pivots[1] * l1[j + 1];
    const double y2 = pivots[2] * l2[j + 1], y3 = pivots[3] * l3[j + 1];
    for (Index i = j / pack * pack; i < end; i += pack) {
      const Pack a = at(l0 + i), b = at(l1 + i), c = at(l2 + i), d = at(l3 + i);
      at(x + i) -= x0 * a + x1 * b + x2 * c + x3 * d;
      at(y + i) -= y0 * a + y1 * b + y2 * c + y3 * d;
    }
  }
}

// Four columns at a time, as in the factorisation; the rows and columns beyond the last whole pack,
// at most three, one by one.
void DenseSolver::substitute_forward(Eigen::Ref<VectorXd> in_place) const noexcept {
  const Index n = in_place.size(), whole = n / pack * pack;
  double* const x = in_place.data();
  for (Index k = 0; k < whole; k += pack) {
    const double *const l0 = L_.data() + k * stride_, *const l1 = l0 + stride_;
    const double *const l2 = l1 + stride_, *const l3 = l2 + stride_;
    const double x0 = x[k];
    const double x1 = x[k + 1] -= l0[k + 1] * x0;
    const double x2 = x[k + 2] -= l0[k + 2] * x0 + l1[k + 2] * x1;
    const double x3 = x[k + 3] -= l0[k + 3] * x0 + l1[k + 3] * x1 + l2[k + 3] * x2;
    Index i = k + pack;
    for (; i < whole; i += pack) {
      at(x + i) -= x0 * at(l0 + i) + x1 * at(l1 + i) + x2 * at(l2 + i) + x3 * at(l3 + i);
    }
    for (; i < n; ++i) x[i] -= x0 * l0[i] + x1 * l1[i] + x2 * l2[i] + x3 * l3[i];
  }
  for (Index k = whole; k < n; ++k) {
    for (Index i = k + 1; i < n; ++i) x[i] -= x[k] * L_(i, k);
  }
}

double DenseSolver::inverse_form(Eigen::Ref<VectorXd> x) const noexcept {
  substitute_forward(x);
  return (x.array().square() * inverse_pivot_.head(x.size()).array()).sum();
}

void DenseSolver::solve(Eigen::Ref<VectorXd> in_place) const noexcept {
  const Index n = in_place.size(), whole = n / pack * pack;
  double* const x = in_place.data();
  substitute_forward(in_place);
  in_place.array() *= inverse_pivot_.head(n).array();
  for (Index k = n - 1; k >= whole; --k) {
    for (Index i = k + 1; i < n; ++i) x[k] -= x[i] * L_(i, k);
  }
  for (Index k = whole - pack; k >= 0; k -= pack) {
    const double *const l0 = L_.data() + k * stride_, *const l1 = l0 + stride_;
    const double *const l2 = l1 + stride_, *const l3 = l2 + stride_;
    Pack s0 = Pack::Zero(), s1 = s0, s2 = s0, s3 = s0;
    Index i = k + pack;
    for (; i < whole; i += pack) {
      const Pack xi = at(x + i);
      s0 += xi * at(l0 + i);
      s1 += xi * at(l1 + i);
      s2 += xi * at(l2 + i);
      s3 += xi * at(l3 + i);
    }
    double x0 = x[k] - s0.sum(), x1 = x[k + 1] - s1.sum();
    double x2 = x[k + 2] - s2.sum(), x3 = x[k + 3] - s3.sum();
    for (; i < n; ++i) {
      x0 -= x[i] * l0[i];
      x1 -= x[i] * l1[i];
      x2 -= x[i] * l2[i];
      x3 -= x[i] * l3[i];
    }
    x2 -= x3 * l2[k + 3];
    x1 -= x3 * l1[k + 3] + x2 * l1[k + 2];
    x0 -= x3 * l0[k + 3] + x2 * l0[k + 2] + x1 * l0[k + 1];
    at(x + k) = Pack(x0, x1, x2, x3);
  }
}

}  // namespace pliant
