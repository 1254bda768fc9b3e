// SPDX-License-Identifier: MIT
#include "pliant/reduced/newmark.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// [Barbic07] 3.10.2: what is left of the forces, if those at the beginning of the step are above
// the limit of the acceleration.
double scale_of_forces(ActiveState& x, StepStatus& status) noexcept {
  const double limit = x.model.options().acceleration_limit;
  if (std::isinf(limit)) return 1.0;
  x.product = x.f - x.R;
  x.product.noalias() -= x.D * x.v;
  x.model.mass_solver().solve(x.product);
  const double size = x.product.norm();
  if (!(size > limit)) return 1.0;
  status |= StepStatus::limited;
  return limit / size;
}

// Forces at the beginning of the step. If the last one made energy, the state is mended first.
double begin(ActiveState& x, StepStatus& status) noexcept {
  EnergyGuard& guard = x.scratch.guard;
  if (x.scratch.edits != x.model.edits()) {
    x.scratch.edits = x.model.edits();
    guard.forget();
  }
  x.evaluate_forces();
  const double kinetic = x.kinetic_energy();
  const EnergyGuard::Verdict verdict = guard.look(x.q, x.R, x.K, kinetic);
  if (verdict.sound()) return kinetic;
  status |= StepStatus::limited;
  x.v *= verdict.velocity;
  x.a.setZero();
  if (verdict.way < 1.0) {
    x.q -= (1.0 - verdict.way) * guard.way();
    x.evaluate_forces();
  }
  return verdict.velocity * verdict.velocity * kinetic;
}

}  // namespace

StepStatus newmark_step(ActiveState& x) noexcept {
  const StepOptions& o = x.model.options();
  const double b = o.beta, g = o.gamma, dt = o.dt;
  const double a1 = 1.0 / (b * dt * dt), a2 = 1.0 / (b * dt), a3 = (1.0 - 2.0 * b) / (2.0 * b);
  const double a4 = g / (b * dt), a5 = 1.0 - g / b, a6 = (1.0 - g / (2.0 * b)) * dt;
  auto moved = x.scratch.moved.head(x.n);  // q - old_q, without the rounding of q
  const auto follow = [&] {
    x.v = a4 * moved + a5 * x.old_v + a6 * x.old_a;
    x.a = a1 * moved - a2 * x.old_v - a3 * x.old_a;
  };

  StepStatus status = StepStatus::ok;
  const double kinetic = begin(x, status);
  x.remember_start();
  moved.setZero();
  auto first_R = x.scratch.first_R.head(x.n);
  auto first_K = x.scratch.first_K.topLeftCorner(x.n, x.n);
  first_R = x.R;
  if (o.max_iterations > 1) first_K = x.K;
  double forces = 1.0, last_size = 0.0;
  for (int iteration = 0;; ++iteration) {
    if (iteration > 0) x.evaluate_forces();
    x.form_damping();
    if (iteration == 0) forces = scale_of_forces(x, status);
    follow();
    x.residual = x.R - x.f;
    double scale = std::max(x.R.squaredNorm(), x.f.squaredNorm());
    x.product.noalias() = x.D * x.v;
    x.residual += x.product;
    scale = std::max(scale, x.product.squaredNorm());
    x.product.noalias() = x.M * x.a;
    x.residual = forces * x.residual + x.product;
    scale = std::max(forces * forces * scale, x.product.squaredNorm());
    const double size = x.residual.squaredNorm();
    if (iteration == 0) {
      if (!std::isfinite(size)) return x.put_back(status);
      x.mark_sound();
    }
    if (size <= o.tolerance * o.tolerance * scale) break;
    if (iteration == o.max_iterations) {
      status |= StepStatus::not_converged;
      break;
    }
    if (iteration == 0 || size < last_size) {
      last_size = size;
      x.A = a1 * x.M + forces * (a4 * x.D + x.K);
      if (!x.solve_for_step(status)) return x.put_back(status);
      moved += x.dq;
    } else {  // too far
      x.dq *= 0.5;
      moved -= x.dq;
    }
    x.q = x.old_q + moved;
    if (o.max_iterations == 1) {
      follow();
      break;
    }
  }
  if (!is_finite(x.a) || !is_finite(x.q)) return x.put_back(status);
  if (x.cut_acceleration(status)) {
    x.q = x.old_q + dt * x.old_v + dt * dt * ((0.5 - b) * x.old_a + b * x.a);
    x.v = x.old_v + dt * ((1.0 - g) * x.old_a + g * x.a);
  }
  if (forces < 1.0) {
    x.scratch.guard.forget();
  } else if (o.max_iterations > 1) {
    x.scratch.guard.remember(x.old_q, x.q, first_R, first_K, x.f, kinetic);
  } else {
    x.scratch.guard.remember(x.old_q, x.q, first_R, x.K, x.f, kinetic);
  }
  return x.finish(status);
}

}  // namespace pliant
