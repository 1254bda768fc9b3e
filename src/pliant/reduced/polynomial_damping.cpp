// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_damping.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/fem/pack.hpp"

namespace pliant {
namespace {

using fem::lanes;
using fem::load;
using fem::Pack;
using simd::store;

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
    const double* const xp = x + p * lanes;
    const Pack x0 = Pack{} + xp[0], x1 = Pack{} + xp[1], x2 = Pack{} + xp[2], x3 = Pack{} + xp[3];
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

std::string list(Index a, Index b, Index c) {
  return std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c);
}

Index checked_size(const DampingParts& parts) {
  const Index r = parts[0].linear.cols(), n = pair_count(r);
  for (const auto& [constant, linear, quadratic] : parts) {
    if (r < 1 || constant.size() != n || linear.rows() != n || linear.cols() != r ||
        quadratic.size() != pair_count(n)) {
      throw Error({}, "wrong number of coefficients of the strain-rate damping",
                  list(constant.size(), linear.size(), quadratic.size()),
                  list(n, n * r, pair_count(n)));
    }
    if (!constant.allFinite() || !linear.allFinite() || !quadratic.allFinite()) {
      throw Error("a coefficient of the strain-rate damping is not finite");
    }
  }
  return r;
}

}  // namespace

PolynomialDamping::PolynomialDamping(DampingParts parts, const Viscosity& viscosity)
    : parts_(std::move(parts)),
      size_(checked_size(parts_)),
      constant_(pair_count(size_)),
      linear_(pair_count(size_), size_),
      panels_(VectorXd::Zero(panel_begin(panels_of(pair_count(size_))))) {
  set_viscosity(viscosity);
}

void PolynomialDamping::set_viscosity(const Viscosity& viscosity) {
  if (try_set_viscosity(viscosity)) return;
  throw Error({}, "a viscosity must not be negative",
              "phi " + text(viscosity.phi) + ", psi " + text(viscosity.psi), "finite numbers >= 0");
}

bool PolynomialDamping::try_set_viscosity(const Viscosity& viscosity) noexcept {
  const auto [phi, psi] = viscosity;
  if (!(phi >= 0) || !(psi >= 0) || !std::isfinite(phi + psi)) return false;
  viscosity_ = viscosity;
  constant_ = phi * parts_[0].constant + psi * parts_[1].constant;
  linear_ = phi * parts_[0].linear + psi * parts_[1].linear;
  const VectorXd &of_phi = parts_[0].quadratic, &of_psi = parts_[1].quadratic;
  for (Index row = 0, entry = 0; row < pair_count(size_); ++row) {
    const Index panel = row / lanes, in_panel = row % lanes;
    double* const tiles = panels_.data() + panel_begin(panel);
    double* const diagonal = tiles + panel * lanes * lanes;
    for (Index column = 0; column <= row; ++column, ++entry) {
      const double x = phi * of_phi[entry] + psi * of_psi[entry];
      const Index tile = column / lanes, in_tile = column % lanes;
      tiles[(tile * lanes + in_panel) * lanes + in_tile] = x;
      if (tile == panel) diagonal[in_tile * lanes + in_panel] = x;
    }
  }
  return true;
}

PolynomialDamping::Workspace::Workspace(const PolynomialDamping& damping)
    : x(lanes * panels_of(pair_count(damping.size()))), y(x.size()) {}

void PolynomialDamping::add(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<MatrixXd> D,
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
  auto y = w.y.head(n);
  y += constant_.head(n);
  y.noalias() += linear_.topLeftCorner(n, r) * q;
  for (Index j = 0; j < r; ++j) {
    for (Index i = 0; i < j; ++i) {
      D(i, j) += y[pair_place(i, j)];
      D(j, i) += y[pair_place(i, j)];
    }
    D(j, j) += y[pair_place(j, j)];
  }
}

}  // namespace pliant
