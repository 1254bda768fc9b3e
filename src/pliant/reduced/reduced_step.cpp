// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_step.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/reduced/active_state.hpp"
#include "pliant/reduced/newmark.hpp"
#include "pliant/reduced/reduced_statics.hpp"

namespace pliant {
namespace {

constexpr double probe_margin = 0.98;  // the power iteration finds omega_max from below

// One step of a power iteration on M^-1 K.
void follow_critical_step(ActiveState& x) noexcept {
  auto probe = x.scratch.probe.head(x.n);
  x.product.noalias() = x.K * probe;
  x.dq.noalias() = x.M * probe;
  const double lambda = probe.dot(x.product) / probe.dot(x.dq);
  if (!(lambda > 0) || !std::isfinite(lambda)) return;
  const double found = probe_margin * 2.0 / std::sqrt(lambda);
  // The quotient is a lower bound that improves: the step may shrink at once, and grows slowly.
  double& critical = x.state.critical_step;
  critical = found < critical ? found : std::min(found, 1.01 * critical);
  x.model.mass_solver().solve(x.product);
  probe = x.product / x.product.norm();
}

StepStatus central_differences(ActiveState& x) noexcept {
  const double dt = x.model.options().dt;
  if (!(dt <= x.state.critical_step)) return StepStatus::unstable_step;
  StepStatus status = StepStatus::ok;
  x.scratch.guard.forget();
  x.remember_start();
  x.q += dt * x.v + 0.5 * dt * dt * x.a;
  x.evaluate_forces();
  x.form_damping();
  x.product = x.old_v + 0.5 * dt * x.old_a;
  x.residual = x.R - x.f;
  x.residual.noalias() += x.D * x.product;
  if (!is_finite(x.residual)) return x.put_back(status);
  x.A = x.M + 0.5 * dt * x.D;
  if (!x.solve_for_step(status)) return x.put_back(status);
  x.a = x.dq;
  if (!is_finite(x.a) || !is_finite(x.q)) return x.put_back(status);
  x.mark_sound();
  x.cut_acceleration(status);
  x.v = x.old_v + 0.5 * dt * (x.old_a + x.a);
  follow_critical_step(x);
  return x.finish(status);
}

StepStatus quasi_static(ActiveState& x) noexcept {
  const StepOptions& o = x.model.options();
  x.remember_start();
  const StepStatus status = find_equilibrium(x, o.max_iterations, o.tolerance);
  if (has(status, StepStatus::not_finite)) return status;
  x.v = (x.q - x.old_q) / o.dt;
  x.a.setZero();
  return x.finish(status);
}

}  // namespace

void start(const ReducedModel& model, const ReducedLoad& load, ReducedState& state) noexcept {
  ActiveState x(model, state);
  if (!x.take(load)) return;
  x.scratch.guard.forget();
  x.evaluate_forces();
  x.form_damping();
  x.a = x.f - x.R;
  x.a.noalias() -= x.D * x.v;
  model.mass_solver().solve(x.a);
}

StepStatus advance(ActiveState& x) noexcept {
  switch (x.model.options().scheme) {
    case StepOptions::Scheme::central_differences:
      return central_differences(x);
    case StepOptions::Scheme::quasi_static:
      return quasi_static(x);
    case StepOptions::Scheme::newmark:
      break;
  }
  return newmark_step(x);
}

StepStatus step(const ReducedModel& model, const ReducedLoad& load, ReducedState& state) noexcept {
  ActiveState x(model, state);
  return x.take(load) ? advance(x) : StepStatus::not_finite;
}

StepStatus solve_static(const ReducedModel& model, const ReducedLoad& load, int max_iterations,
                        double tolerance, ReducedState& state) noexcept {
  ActiveState x(model, state);
  if (!x.take(load)) return StepStatus::not_finite;
  x.v.setZero();
  x.a.setZero();
  x.remember_start();
  const StepStatus status = find_equilibrium(x, max_iterations, tolerance);
  if (!has(status, StepStatus::not_finite)) x.scratch.failed = false;
  return status;
}

ReducedEnergy energy(const ReducedModel& model, ReducedState& state) noexcept {
  ActiveState x(model, state);
  return {.kinetic = x.kinetic_energy(), .elastic = x.elastic_energy()};
}

}  // namespace pliant
