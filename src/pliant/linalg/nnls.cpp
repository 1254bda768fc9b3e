// SPDX-License-Identifier: MIT
#include "pliant/linalg/nnls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr double ridge = 1e-13;      // of a unit column: makes dependent columns solvable
constexpr double tolerance = 1e-11;  // of g for unit columns, relative to the largest of y

// Columns scaled to length one.
class Problem {
 public:
  Problem(const MatrixXd& N, const VectorXd& y, const VectorXd& start)
      : scale_(N.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; })),
        N_(scale_.asDiagonal() * N * scale_.asDiagonal()),
        y_(scale_.cwiseProduct(y)),
        x_(VectorXd::Zero(y.size())) {
    for (Index i = 0; i < start.size(); ++i) {
      if (!(start[i] > 0) || scale_[i] == 0) continue;
      x_[i] = start[i] / scale_[i];
      passive_.push_back(i);
    }
  }

  VectorXd solve() {
    const double least = tolerance * y_.cwiseAbs().maxCoeff();
    if (!passive_.empty()) settle();
    for (Index step = 0; step < 3 * y_.size(); ++step) {
      const VectorXd g = y_ - N_ * x_;
      Index best = -1;
      for (Index i = 0; i < g.size(); ++i) {
        if (scale_[i] == 0 || g[i] <= least || (best >= 0 && g[i] <= g[best])) continue;
        if (std::find(passive_.begin(), passive_.end(), i) == passive_.end()) best = i;
      }
      if (best < 0) break;
      passive_.push_back(best);
      settle();
      if (x_[best] == 0) break;  // rounding: it went in and out again
    }
    return scale_.cwiseProduct(x_);
  }

 private:
  // The solution of the passive unknowns; those that would become negative are left at zero.
  void settle() {
    while (!passive_.empty()) {
      MatrixXd N = N_(passive_, passive_);
      N.diagonal().array() += ridge;
      const VectorXd s = N.llt().solve(VectorXd(y_(passive_)));
      double step = 1;
      Index leaves = -1;
      for (Index k = 0; k < s.size(); ++k) {
        const double x = x_[passive_[static_cast<std::size_t>(k)]];
        if (s[k] > 0 || x / (x - s[k]) >= step) continue;
        step = std::max(0.0, x / (x - s[k]));
        leaves = k;
      }
      for (Index k = 0; k < s.size(); ++k) {
        double& x = x_[passive_[static_cast<std::size_t>(k)]];
        x += step * (s[k] - x);
        if (k == leaves) x = 0;
      }
      if (leaves < 0) return;
      std::erase_if(passive_, [&](Index i) { return !(x_[i] > 0); });
    }
  }

  VectorXd scale_;
  MatrixXd N_;
  VectorXd y_, x_;
  std::vector<Index> passive_;
};

}  // namespace

VectorXd nonnegative_least_squares(const MatrixXd& N, const VectorXd& y, const VectorXd& start) {
  const Index n = y.size();
  if (N.rows() != n || N.cols() != n || (start.size() != 0 && start.size() != n)) {
    throw Error({}, "sizes that do not agree", std::to_string(N.rows()), std::to_string(n));
  }
  if (!N.allFinite() || !y.allFinite() || !start.allFinite()) throw Error("a number is not finite");
  if (n == 0) return y;
  return Problem(N, y, start).solve();
}

}  // namespace pliant
