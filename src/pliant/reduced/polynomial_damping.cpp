// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_damping.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/pack.hpp"

namespace pliant {
namespace {

using fem::lanes;
using fem::load;
using fem::Pack;

void store(double* p, Pack x) {
  __builtin_memcpy(p, &x, sizeof x);
}

constexpr Index panels_of(Index rows) {
  return (rows + lanes - 1) / lanes;
}
// Where panel p begins: before it are panels of 1, 2, .. p tiles.
constexpr Index panel_begin(Index p) {
  return p * (p + 1) / 2 * lanes * lanes;
}

// y = A x of a symmetric matrix in panels.
void multiply(const double* A, Index panels, const double* x, double* y) noexcept {
  std::fill_n(y, panels * lanes, 0.0);
  for (Index p = 0; p < panels; ++p) {
    const double* xp = x + p * lanes;
    const Pack x0 = xp[0] - Pack{}, x1 = xp[1] - Pack{}, x2 = xp[2] - Pack{}, x3 = xp[3] - Pack{};
    Pack sum0{}, sum1{}, sum2{}, sum3{};
    for (Index t = 0; t <= p; ++t, A += lanes * lanes) {
      const Pack xt = load(x + t * lanes);
      const Pack a0 = load(A), a1 = load(A + 4), a2 = load(A + 8), a3 = load(A + 12);
      sum0 += a0 * xt;
      sum1 += a1 * xt;
      sum2 += a2 * xt;
      sum3 += a3 * xt;
      if (t == p) break;  // the diagonal's tile is full
      store(y + t * lanes, load(y + t * lanes) + a0 * x0 + a1 * x1 + a2 * x2 + a3 * x3);
    }
    A += lanes * lanes;
    const Pack a = __builtin_shufflevector(sum0, sum1, 0, 4, 2, 6) +
                   __builtin_shufflevector(sum0, sum1, 1, 5, 3, 7);
    const Pack b = __builtin_shufflevector(sum2, sum3, 0, 4, 2, 6) +
                   __builtin_shufflevector(sum2, sum3, 1, 5, 3, 7);
    store(y + p * lanes, load(y + p * lanes) + __builtin_shufflevector(a, b, 0, 1, 4, 5) +
                             __builtin_shufflevector(a, b, 2, 3, 6, 7));
  }
}

Index checked_size(const std::vector<DampingPolynomial>& parts, const VectorXd& coefficients) {
  if (parts.empty()) throw Error("strain-rate damping needs at least one part");
  if (coefficients.size() != static_cast<Index>(parts.size())) {
    throw Error({}, "the parts of the damping need a coefficient each",
                std::to_string(coefficients.size()), std::to_string(parts.size()));
  }
  if (!coefficients.allFinite()) throw Error("a coefficient of the damping is not finite");
  const Index r = parts[0].linear.cols(), n = pair_count(r);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto& [constant, linear, quadratic] = parts[p];
    const Place place{"", 0, "part " + std::to_string(p) + " of the damping"};
    if (r < 1 || constant.size() != n || linear.rows() != n || linear.cols() != r ||
        quadratic.size() != pair_count(n)) {
      throw Error(
          place, "wrong number of coefficients",
          std::to_string(constant.size()) + ", " + std::to_string(linear.size()) + ", " +
              std::to_string(quadratic.size()),
          std::to_string(n) + ", " + std::to_string(n * r) + ", " + std::to_string(pair_count(n)));
    }
    if (!constant.allFinite() || !linear.allFinite() || !quadratic.allFinite()) {
      throw Error(place, "a number is not finite");
    }
  }
  return r;
}

}  // namespace

PolynomialDamping::PolynomialDamping(std::vector<DampingPolynomial> parts, VectorXd coefficients)
    : parts_(std::move(parts)),
      coefficients_(std::move(coefficients)),
      size_(checked_size(parts_, coefficients_)),
      constant_(pair_count(size_)),
      linear_(pair_count(size_), size_),
      panels_(VectorXd::Zero(panel_begin(panels_of(pair_count(size_))))) {
  set_coefficients(coefficients_);
}

void PolynomialDamping::set_coefficients(const VectorXd& coefficients) noexcept {
  PLIANT_ASSERT(coefficients.size() == coefficients_.size(), "one coefficient a part");
  coefficients_ = coefficients;
  constant_.setZero();
  linear_.setZero();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    constant_ += coefficients_[static_cast<Index>(p)] * parts_[p].constant;
    linear_ += coefficients_[static_cast<Index>(p)] * parts_[p].linear;
  }
  const Index n = pair_count(size_);
  for (Index row = 0; row < n; ++row) {
    const Index panel = row / lanes, in_panel = row % lanes;
    double* tiles = panels_.data() + panel_begin(panel) + in_panel * lanes;
    for (Index column = 0; column <= row; ++column) {
      double sum = 0.0;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        sum += coefficients_.data()[p] * parts_[p].quadratic.data()[pair_place(column, row)];
      }
      tiles[column / lanes * lanes * lanes + column % lanes] = sum;
      if (column / lanes == panel) {
        panels_.data()[panel_begin(panel + 1) + (column % lanes - lanes) * lanes + in_panel] = sum;
      }
    }
  }
}

PolynomialDamping::Workspace::Workspace(const PolynomialDamping& damping)
    : x(lanes * panels_of(pair_count(damping.size()))), y(x.size()) {}

void PolynomialDamping::evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<MatrixXd> D,
                                 Workspace& w) const noexcept {
  const Index r = q.size(), n = pair_count(r);
  PLIANT_ASSERT(r >= 1 && r <= size_ && D.rows() == r && D.cols() == r,
                "q has at most r numbers, D as many rows and columns");
  double* x = w.x.data();
  for (Index j = 0; j < r; x += ++j) {
    for (Index i = 0; i < j; ++i) x[i] = q[i] * q[j];
    x[j] = q[j] * q[j] / 2;
  }
  std::fill(x, w.x.data() + panels_of(n) * lanes, 0.0);
  multiply(panels_.data(), panels_of(n), w.x.data(), w.y.data());
  w.y.head(n).noalias() += linear_.topLeftCorner(n, r) * q;
  for (Index j = 0; j < r; ++j) {
    for (Index i = 0; i <= j; ++i) {
      D(i, j) = D(j, i) = constant_[pair_place(i, j)] + w.y[pair_place(i, j)];
    }
  }
}

}  // namespace pliant
