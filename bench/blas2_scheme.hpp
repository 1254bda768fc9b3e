// SPDX-License-Identifier: MIT
// The evaluation of reduced forces and stiffness as [Barbic05] 6.2 describes it, to compare with.
#pragma once

#include <algorithm>
#include <array>

#include <Eigen/Dense>

#include "pliant/reduced/energy_polynomial.hpp"

namespace pliant::bench {

// The monomials of each degree are formed, and matrices of coefficients are multiplied by them, for
// the force and for the upper triangle of the stiffness.
class Blas2Scheme {
 public:
  explicit Blas2Scheme(const EnergyPolynomial& V, Index r)
      : r_(r),
        R1_(r, r),
        R2_(r, pair_count(r)),
        R3_(r, triple_count(r)),
        K0_(V.quadratic),
        K1_(pair_count(r), r),
        K2_(pair_count(r), pair_count(r)) {
    const auto at = [](auto... indices) {
      std::array<Index, sizeof...(indices)> sorted{indices...};
      std::sort(sorted.begin(), sorted.end());
      return sorted;
    };
    // Multinomial: how many of the ordered tuples are this monomial.
    for (Index k = 0; k < r; ++k) {
      for (Index j = 0; j <= k; ++j) {
        const double pairs = j == k ? 1.0 : 2.0;
        for (Index i = 0; i < r; ++i) {
          const auto t = at(i, j, k);
          const double v = V.cubic[triple_place(t[0], t[1], t[2])];
          R2_(i, pair_place(j, k)) = pairs / 2 * v;
          K1_(pair_place(j, k), i) = v;
        }
        for (Index i = 0; i <= j; ++i) {
          const double triples = i == k ? 1.0 : i == j || j == k ? 3.0 : 6.0;
          for (Index h = 0; h < r; ++h) {
            const auto t = at(h, i, j, k);
            R3_(h, triple_place(i, j, k)) =
                triples / 6 * V.quartic[quadruple_place(t[0], t[1], t[2], t[3])];
          }
        }
        for (Index m = 0; m < r; ++m) {
          for (Index l = 0; l <= m; ++l) {
            const auto t = at(j, k, l, m);
            K2_(pair_place(l, m), pair_place(j, k)) =
                pairs / 2 * V.quartic[quadruple_place(t[0], t[1], t[2], t[3])];
          }
        }
        R1_(j, k) = R1_(k, j) = V.quadratic[pair_place(j, k)];
      }
    }
    pairs_.resize(pair_count(r));
    triples_.resize(triple_count(r));
    packed_.resize(pair_count(r));
  }

  void evaluate(const VectorXd& q, VectorXd& R, MatrixXd& K) {
    for (Index k = 0; k < r_; ++k) {
      for (Index j = 0; j <= k; ++j) {
        const double x = pairs_[pair_place(j, k)] = q[j] * q[k];
        triples_.segment(triple_place(0, j, k), j + 1) = x * q.head(j + 1);
      }
    }
    R.noalias() = R1_ * q;
    R.noalias() += R2_ * pairs_;
    R.noalias() += R3_ * triples_;
    packed_ = K0_;
    packed_.noalias() += K1_ * q;
    packed_.noalias() += K2_ * pairs_;
    for (Index j = 0; j < r_; ++j) {
      for (Index i = 0; i <= j; ++i) K(i, j) = K(j, i) = packed_[pair_place(i, j)];
    }
  }

 private:
  Index r_;
  MatrixXd R1_, R2_, R3_;
  VectorXd K0_;
  MatrixXd K1_, K2_;
  VectorXd pairs_, triples_, packed_;
};

}  // namespace pliant::bench
