// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/pade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double dependent = 1e-10;  // what is left of a coefficient without those before it
constexpr Index least_order = 4;
constexpr double least_denominator = 0.05;

double polynomial(const VectorXd& d, Index order, double a) {
  double sum = 0;
  for (Index i = order; i >= 1; --i) sum = (sum + d[i - 1]) * a;
  return 1 + sum;
}

}  // namespace

PadeSeries::PadeSeries(MatrixXd c) : c_(std::move(c)) {
  MatrixXd e = c_, alpha = MatrixXd::Zero(c_.cols(), c_.cols());
  for (Index p = 0; p < std::min(c_.cols(), c_.rows()); ++p) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Index j = 0; j < p; ++j) {
        const double along = e.col(j).dot(e.col(p));
        alpha(p, j) += along;
        e.col(p) -= along * e.col(j);
      }
    }
    alpha(p, p) = e.col(p).norm();
    if (!(alpha(p, p) > dependent * c_.col(p).norm())) break;
    e.col(p) /= alpha(p, p);
    order_ = p + 1;
  }
  if (order_ < least_order) return;
  d_ = denominator(alpha, order_);
  e_ = denominator(alpha, order_ - 1);
}

VectorXd PadeSeries::denominator(const MatrixXd& alpha, Index P) {
  VectorXd d(P - 1);
  for (Index k = 1; k < P; ++k) {
    double sum = alpha(P - 1, P - k - 1);
    for (Index i = 1; i < k; ++i) sum += d[i - 1] * alpha(P - i - 1, P - k - 1);
    d[k - 1] = -sum / alpha(P - k - 1, P - k - 1);
  }
  return d;
}

VectorXd PadeSeries::evaluate(double a, Index P, const VectorXd& d) const {
  VectorXd sum = VectorXd::Zero(c_.rows());
  const Index last = d.size() > 0 ? P - 1 : P;
  const double under = d.size() > 0 ? polynomial(d, P - 1, a) : 1.0;
  double power = 1;
  for (Index p = 1; p <= last; ++p) {
    power *= a;
    sum += power * (d.size() > 0 ? polynomial(d, P - 1 - p, a) : 1.0) / under * c_.col(p - 1);
  }
  return sum;
}

VectorXd PadeSeries::at(double a) const {
  const bool sound = d_.size() > 0 && polynomial(d_, d_.size(), a) >= least_denominator;
  return sound ? evaluate(a, order_, d_) : evaluate(a, c_.cols(), {});
}

double PadeSeries::series_range(double tolerance) const {
  const Index P = c_.cols();
  const double last = c_.col(P - 1).norm(), first = c_.col(0).norm();
  if (P < 2 || !(last > 0)) return std::numeric_limits<double>::infinity();
  return std::pow(tolerance * first / last, 1.0 / static_cast<double>(P - 1));
}

double PadeSeries::range(double tolerance) const {
  const double least = series_range(tolerance);
  if (d_.size() == 0 || !std::isfinite(least)) return least;
  constexpr double growth = 1.15;
  double reached = least;
  for (double a = least * growth; a < 8 * least; a *= growth) {
    if (polynomial(d_, d_.size(), a) < least_denominator) break;
    if (polynomial(e_, e_.size(), a) < least_denominator) break;
    const VectorXd fine = evaluate(a, order_, d_);
    if (!((fine - evaluate(a, order_ - 1, e_)).norm() <= tolerance * fine.norm())) break;
    reached = a;
  }
  return reached;
}

}  // namespace pliant
