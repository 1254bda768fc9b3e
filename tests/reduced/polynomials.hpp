// SPDX-License-Identifier: MIT
// Energy polynomials for tests and benchmarks: random ones of stable bodies, and that of a small
// mesh by differences of its tangent, independent of the bake.
#pragma once

#include <cmath>

#include "pliant/base/random.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/reduced/energy_polynomial.hpp"

namespace pliant::test {

inline VectorXd random_vector(Index n, double amount, std::uint64_t seed) {
  Random random(seed);
  VectorXd x(n);
  for (double& y : x) y = random.uniform(-amount, amount);
  return x;
}

// V = 1/2 sum_s (a_s.q + 1/2 q.B_s q)^2 >= 0: springs with a strain each, linear frequencies from
// `lowest` to `highest` [rad/s] with M = I. Nonlinear from |q| = `reach` on.
inline EnergyPolynomial stable_polynomial(Index r, double lowest, double highest, double reach,
                                          std::uint64_t seed) {
  EnergyPolynomial p{VectorXd::Zero(pair_count(r)), VectorXd::Zero(triple_count(r)),
                     VectorXd::Zero(quadruple_count(r))};
  const double n = static_cast<double>(r);
  for (Index s = 0; s < r; ++s) {
    const double omega =
        lowest * std::pow(highest / lowest, static_cast<double>(s) / (n - 1 + 1e-9));
    // Householder rows: an orthonormal set, so that the frequencies are what was asked for.
    VectorXd a = -2.0 / n * VectorXd::Ones(r);
    a[s] += 1.0;
    a *= omega;
    const VectorXd b = random_vector(r * r, omega / (reach * n), seed + static_cast<unsigned>(s));
    const MatrixXd B = b.reshaped(r, r) + b.reshaped(r, r).transpose();
    for (Index l = 0; l < r; ++l) {
      for (Index k = 0; k <= l; ++k) {
        p.quadratic[pair_place(k, l)] += a[k] * a[l];
        for (Index j = 0; j <= k; ++j) {
          p.cubic[triple_place(j, k, l)] += a[j] * B(k, l) + a[k] * B(j, l) + a[l] * B(j, k);
          for (Index i = 0; i <= j; ++i) {
            p.quartic[quadruple_place(i, j, k, l)] +=
                B(i, j) * B(k, l) + B(i, k) * B(j, l) + B(i, l) * B(j, k);
          }
        }
      }
    }
  }
  return p;
}

// Of V(U q). The stiffness of a St. Venant-Kirchhoff body is quadratic in u, so that its
// differences are exact but for rounding.
inline EnergyPolynomial polynomial_of(const fem::ElasticModel& body, const MatrixXd& U) {
  const Index r = U.cols();
  EnergyPolynomial p{VectorXd::Zero(pair_count(r)), VectorXd::Zero(triple_count(r)),
                     VectorXd::Zero(quadruple_count(r))};
  const auto stiffness = [&](const VectorXd& u) -> MatrixXd {
    return U.transpose() * (body.tangent(u) * U);
  };
  const double h = 0.1 / U.cwiseAbs().maxCoeff();
  const MatrixXd K0 = stiffness(VectorXd::Zero(U.rows()));
  std::vector<MatrixXd> plus;
  for (Index l = 0; l < r; ++l) plus.push_back(stiffness(h * U.col(l)));
  for (Index l = 0; l < r; ++l) {
    const MatrixXd& Kl = plus[static_cast<std::size_t>(l)];
    const MatrixXd minus = stiffness(-h * U.col(l));
    for (Index k = 0; k <= l; ++k) {
      p.quadratic[pair_place(k, l)] = K0(k, l);
      for (Index j = 0; j <= k; ++j) {
        p.cubic[triple_place(j, k, l)] = (Kl(j, k) - minus(j, k)) / (2 * h);
      }
      const MatrixXd second = k == l ? MatrixXd(Kl + minus - 2 * K0)
                                     : MatrixXd(stiffness(h * (U.col(k) + U.col(l))) -
                                                plus[static_cast<std::size_t>(k)] - Kl + K0);
      for (Index j = 0; j <= k; ++j) {
        for (Index i = 0; i <= j; ++i) {
          p.quartic[quadruple_place(i, j, k, l)] = second(i, j) / (h * h);
        }
      }
    }
  }
  return p;
}

}  // namespace pliant::test
