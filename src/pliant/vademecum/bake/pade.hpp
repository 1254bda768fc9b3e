// SPDX-License-Identifier: MIT
// A vector c(a) = c_1 a + .. + c_P a^P of which the first coefficients are known, continued beyond
// the radius of the series by Pade approximants with one denominator (Cochelin, Damil, Potier-Ferry
// 1994; Najah, Cochelin, Damil, Potier-Ferry 1998). With c_p = sum_j alpha_pj e_j, e orthonormal,
//
//   c(a) = sum_(p=1..P-1) a^p c_p D_(P-1-p)(a) / D_(P-1)(a)       D_i = 1 + d_1 a + .. + d_i a^i
//   d_k = -sum_(i<k) d_i alpha_(P-i, P-k) / alpha_(P-k, P-k)
#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

class PadeSeries {
 public:
  explicit PadeSeries(MatrixXd c);  // r by P, P >= 1

  VectorXd at(double a) const;  // by Pade; the series where there is none
  // The largest a for which the approximants of order P and P - 1 agree to `tolerance` of their
  // length, and no denominator vanishes on the way; at least that of the series.
  double range(double tolerance) const;
  // (tolerance |c_1| / |c_P|)^(1 / (P - 1)): where the last term is `tolerance` of the first.
  double series_range(double tolerance) const;

 private:
  static VectorXd denominator(const MatrixXd& alpha, Index order);  // d_1 ..
  VectorXd evaluate(double a, Index order, const VectorXd& d) const;

  MatrixXd c_;
  Index order_ = 0;  // the first so many coefficients are independent: P of the approximants
  VectorXd d_, e_;   // denominators of orders P and P - 1; empty: the series
};

}  // namespace pliant
