// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_statics.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr int most_halvings = 12;
constexpr double armijo = 1e-4;
constexpr double energy_rounding = 1e-6;  // of single-precision coefficients, relative

}  // namespace

StepStatus find_equilibrium(ActiveState& x, int max_iterations, double tolerance) noexcept {
  auto from = x.scratch.moved.head(x.n), moved = x.scratch.first_R.head(x.n);
  const auto evaluate_residual = [&] {
    x.evaluate_forces();
    x.residual = x.R - x.f;
    if (x.has_tangent()) {
      moved = x.q - x.old_q;
      x.add_lost_spring(moved);
    }
    return x.residual.norm();
  };
  // Less the work of the load, whose springs keep (q - q_0).K_t (q - q_0) / 2 of it.
  const auto potential = [&](double elastic) {
    double value = elastic - x.f.dot(x.q);
    if (x.has_tangent()) value += 0.5 * (x.residual - x.R + x.f).dot(moved);
    return value;
  };
  // Without a load R is zero at the end, and K q tells how large its parts are.
  const auto force_scale = [&] {
    x.product.noalias() = x.K * x.q;
    return std::max({x.R.norm(), x.f.norm(), x.product.norm()});
  };
  StepStatus status = StepStatus::ok;
  x.scratch.guard.forget();
  double size = evaluate_residual();
  if (!std::isfinite(size)) return x.put_back(status);
  x.mark_sound();
  for (int iteration = 0; size > tolerance * force_scale(); ++iteration) {
    if (iteration == max_iterations) return status | StepStatus::not_converged;
    x.A = x.K;
    if (x.has_tangent()) x.add_tangent(1.0, 0.0);
    if (!x.solve_for_step(status)) return x.put_back(status);
    const double elastic = x.elastic_energy(), potential_before = potential(elastic);
    const double rounding = energy_rounding * (std::abs(elastic) + std::abs(x.f.dot(x.q)));
    const double slope = x.residual.dot(x.dq), before = size;
    from = x.q;
    double length = 1.0;
    for (int halving = 0;; ++halving, length *= 0.5) {
      x.q = from + length * x.dq;
      size = evaluate_residual();
      const double rise = potential(x.elastic_energy()) - potential_before;
      if (rise <= armijo * length * slope || (rise <= rounding && size <= 0.5 * before)) break;
      if (halving == most_halvings) {
        x.q = from;
        return status | StepStatus::not_converged;
      }
    }
    x.mark_sound();
  }
  return status;
}

}  // namespace pliant
