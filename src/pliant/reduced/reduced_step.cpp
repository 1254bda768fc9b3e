// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_step.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

constexpr double first_shift = 3e-4, largest_shift = 1e6;  // of the mean diagonal
constexpr double probe_margin = 0.98;    // the power iteration finds omega_max from below
constexpr double inactive_decay = 0.02;  // s, time constant of the coordinates left out
constexpr double inactive_zero = 1e-30;  // below it they are zero
constexpr int most_halvings = 12;        // of a static step
constexpr double armijo = 1e-4;
constexpr double energy_rounding = 1e-6;  // of single-precision coefficients, relative

// The active part of a state under a step: views of the leading n numbers.
struct Active {
  using Vector = Eigen::VectorBlock<VectorXd>;
  using Matrix = Eigen::Block<MatrixXd>;

  Active(const ReducedModel& m, ReducedState& s)
      : model(m),
        state(s),
        n(m.active()),
        M(m.mass().topLeftCorner(n, n)),
        q(s.q.head(n)),
        v(s.v.head(n)),
        a(s.a.head(n)),
        old_q(s.scratch.old_q.head(n)),
        old_v(s.scratch.old_v.head(n)),
        old_a(s.scratch.old_a.head(n)),
        f(s.scratch.f.head(n)),
        R(s.scratch.R.head(n)),
        residual(s.scratch.residual.head(n)),
        dq(s.scratch.step.head(n)),
        moved(s.scratch.moved.head(n)),
        product(s.scratch.product.head(n)),
        K(s.scratch.K.topLeftCorner(n, n)),
        D(s.scratch.D.topLeftCorner(n, n)),
        A(s.scratch.A.topLeftCorner(n, n)) {}

  const ReducedModel& model;
  ReducedState& state;
  Index n;
  Eigen::Block<const MatrixXd> M;
  Vector q, v, a, old_q, old_v, old_a, f, R, residual, dq, moved, product;
  Matrix K, D, A;
};

bool finite(const Eigen::Ref<const VectorXd>& x) {
  return std::isfinite(x.squaredNorm());
}

void evaluate_forces(Active& x) noexcept {
  with_forces(x.model.forces(), x.state.scratch.forces, [&](const auto& forces, auto& workspace) {
    forces.evaluate(x.q, x.R, x.K, workspace);
  });
}

double elastic_energy(Active& x) noexcept {
  return with_forces(
      x.model.forces(), x.state.scratch.forces,
      [&](const auto& forces, auto& workspace) { return forces.energy(x.q, workspace); });
}

// D at q, K being that at q. All damping comes in here.
void form_damping(Active& x) noexcept {
  x.D = x.model.damping().alpha * x.M + x.model.damping().beta * x.K;
}

// A dq = -residual; A is shifted if it is not positive definite. False: it cannot be factored.
bool solve_for_step(Active& x, StepStatus& status) noexcept {
  DenseSolver& solver = x.state.scratch.solver;
  if (!solver.factor(x.A)) {
    status |= StepStatus::not_definite;
    const double mean = x.A.diagonal().cwiseAbs().mean();
    double shift = first_shift * mean;
    if (!std::isfinite(mean) || !(mean > 0)) return false;
    x.A.diagonal().array() += shift;
    while (!solver.factor(x.A)) {
      if (shift > largest_shift * mean) return false;
      x.A.diagonal().array() += 9.0 * shift;
      shift *= 10.0;
    }
  }
  x.dq = -x.residual;
  solver.solve(x.dq);
  return true;
}

bool take_load(const ReducedLoad& load, Active& x) noexcept {
  PLIANT_ASSERT(load.force.size() == x.model.size() && x.state.q.size() == x.model.size(),
                "the load and the state must be of this model");
  x.f = load.force.head(x.n);
  return finite(x.f);
}

void remember(Active& x) noexcept {
  x.old_q = x.q;
  x.old_v = x.v;
  x.old_a = x.a;
}

// The forces at q are finite: a place to come back to.
void mark_sound(Active& x) noexcept {
  x.state.scratch.sound_q.head(x.n) = x.q;
}

StepStatus put_back(Active& x, StepStatus status) noexcept {
  ReducedState& state = x.state;
  auto sound = state.scratch.sound_q.head(x.n);
  if (state.scratch.failed) sound *= 0.5;
  state.scratch.failed = true;
  x.q = sound;
  x.v.setZero();
  x.a.setZero();
  return status | StepStatus::not_finite;
}

StepStatus finish(Active& x, StepStatus status) noexcept {
  ReducedState& state = x.state;
  const double dt = x.model.options().dt;
  state.scratch.failed = false;
  state.time += dt;
  const Index left_out = x.model.size() - x.n;
  if (left_out > 0) {
    auto q = state.q.tail(left_out);
    q *= std::exp(-dt / inactive_decay);
    if (!(q.cwiseAbs().maxCoeff() > inactive_zero)) q.setZero();
    state.v.tail(left_out).setZero();
    state.a.tail(left_out).setZero();
    state.scratch.sound_q.tail(left_out).setZero();
  }
  return status;
}

// [Barbic07] 3.10.2: by how much the forces at the beginning of the step are too large.
double scale_of_forces(Active& x, StepStatus& status) noexcept {
  const double limit = x.model.options().acceleration_limit;
  if (std::isinf(limit)) return 1.0;
  x.product = x.f - x.R;
  x.product.noalias() -= x.D * x.old_v;
  x.model.mass_solver().solve(x.product);
  const double size = x.product.norm();
  if (!(size > limit)) return 1.0;
  status |= StepStatus::limited;
  return limit / size;
}

bool cut_acceleration(Active& x, StepStatus& status) noexcept {
  const double size = x.a.norm();
  if (!(size > x.model.options().acceleration_limit)) return false;
  x.a *= x.model.options().acceleration_limit / size;
  status |= StepStatus::limited;
  return true;
}

// [Barbic07] 2.9
StepStatus newmark(Active& x) noexcept {
  const StepOptions& o = x.model.options();
  const double b = o.beta, g = o.gamma, dt = o.dt;
  const double a1 = 1.0 / (b * dt * dt), a2 = 1.0 / (b * dt), a3 = (1.0 - 2.0 * b) / (2.0 * b);
  const double a4 = g / (b * dt), a5 = 1.0 - g / b, a6 = (1.0 - g / (2.0 * b)) * dt;
  // From the way moved, not from q, so that the rounding of q does not come in.
  const auto follow = [&] {
    x.v = a4 * x.moved + a5 * x.old_v + a6 * x.old_a;
    x.a = a1 * x.moved - a2 * x.old_v - a3 * x.old_a;
  };
  StepStatus status = StepStatus::ok;
  remember(x);
  x.moved.setZero();
  double forces = 1.0;  // what is left of them at the limit of the acceleration
  for (int iteration = 0;; ++iteration) {
    evaluate_forces(x);
    form_damping(x);
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
    if (!std::isfinite(size)) return put_back(x, status);
    if (iteration == 0) mark_sound(x);
    if (size <= o.tolerance * o.tolerance * scale) break;
    if (iteration == o.max_iterations) {
      status |= StepStatus::not_converged;
      break;
    }
    x.A = a1 * x.M + forces * (a4 * x.D + x.K);
    if (!solve_for_step(x, status)) return put_back(x, status);
    x.moved += x.dq;
    x.q = x.old_q + x.moved;
    if (o.max_iterations == 1) {
      follow();
      break;
    }
  }
  if (!finite(x.a) || !finite(x.q)) return put_back(x, status);
  if (cut_acceleration(x, status)) {
    x.q = x.old_q + dt * x.old_v + dt * dt * ((0.5 - b) * x.old_a + b * x.a);
    x.v = x.old_v + dt * ((1.0 - g) * x.old_a + g * x.a);
  }
  return finish(x, status);
}

// One step of a power iteration on M^-1 K.
void follow_critical_step(Active& x) noexcept {
  auto probe = x.state.scratch.probe.head(x.n);
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

StepStatus central_differences(Active& x) noexcept {
  const double dt = x.model.options().dt;
  if (!(dt <= x.state.critical_step)) return StepStatus::unstable_step;
  StepStatus status = StepStatus::ok;
  remember(x);
  x.q += dt * x.v + 0.5 * dt * dt * x.a;
  evaluate_forces(x);
  form_damping(x);
  x.product = x.old_v + 0.5 * dt * x.old_a;
  x.residual = x.R - x.f;
  x.residual.noalias() += x.D * x.product;
  if (!finite(x.residual)) return put_back(x, status);
  x.A = x.M + 0.5 * dt * x.D;
  if (!solve_for_step(x, status)) return put_back(x, status);
  x.a = x.dq;
  if (!finite(x.a) || !finite(x.q)) return put_back(x, status);
  mark_sound(x);
  cut_acceleration(x, status);
  x.v = x.old_v + 0.5 * dt * (x.old_a + x.a);
  follow_critical_step(x);
  return finish(x, status);
}

// Newton's method on the potential V(q) - f.q.
StepStatus find_equilibrium(Active& x, int max_iterations, double tolerance) noexcept {
  StepStatus status = StepStatus::ok;
  const auto evaluate_residual = [&] {
    evaluate_forces(x);
    x.residual = x.R - x.f;
    return x.residual.norm();
  };
  // Without a load R is zero at the end, and K q tells how large its parts are.
  const auto force_scale = [&] {
    x.product.noalias() = x.K * x.q;
    return std::max({x.R.norm(), x.f.norm(), x.product.norm()});
  };
  double size = evaluate_residual();
  if (!std::isfinite(size)) return put_back(x, status);
  mark_sound(x);
  for (int iteration = 0; size > tolerance * force_scale(); ++iteration) {
    if (iteration == max_iterations) return status | StepStatus::not_converged;
    x.A = x.K;
    if (!solve_for_step(x, status)) return put_back(x, status);
    const double elastic = elastic_energy(x), work = x.f.dot(x.q);
    const double rounding = energy_rounding * (std::abs(elastic) + std::abs(work));
    const double slope = x.residual.dot(x.dq), before = size;
    x.product = x.q;
    double length = 1.0;
    for (int halving = 0;; ++halving, length *= 0.5) {
      x.q = x.product + length * x.dq;
      size = evaluate_residual();
      const double rise = elastic_energy(x) - x.f.dot(x.q) - (elastic - work);
      if (rise <= armijo * length * slope || (rise <= rounding && size <= 0.5 * before)) break;
      if (halving == most_halvings) {
        x.q = x.product;
        return status | StepStatus::not_converged;
      }
    }
    mark_sound(x);
  }
  return status;
}

StepStatus quasi_static(Active& x) noexcept {
  const StepOptions& o = x.model.options();
  remember(x);
  const StepStatus status = find_equilibrium(x, o.max_iterations, o.tolerance);
  if (has(status, StepStatus::not_finite)) return status;
  x.v = (x.q - x.old_q) / o.dt;
  x.a.setZero();
  return finish(x, status);
}

}  // namespace

void start(const ReducedModel& model, const ReducedLoad& load, ReducedState& state) noexcept {
  Active x(model, state);
  if (!take_load(load, x)) return;
  evaluate_forces(x);
  form_damping(x);
  x.a = x.f - x.R;
  x.a.noalias() -= x.D * x.v;
  model.mass_solver().solve(x.a);
}

StepStatus step(const ReducedModel& model, const ReducedLoad& load, ReducedState& state) noexcept {
  Active x(model, state);
  if (!take_load(load, x)) return StepStatus::not_finite;
  switch (model.options().scheme) {
    case StepOptions::Scheme::central_differences:
      return central_differences(x);
    case StepOptions::Scheme::quasi_static:
      return quasi_static(x);
    case StepOptions::Scheme::newmark:
      break;
  }
  return newmark(x);
}

StepStatus solve_static(const ReducedModel& model, const ReducedLoad& load, int max_iterations,
                        double tolerance, ReducedState& state) noexcept {
  Active x(model, state);
  if (!take_load(load, x)) return StepStatus::not_finite;
  x.v.setZero();
  x.a.setZero();
  const StepStatus status = find_equilibrium(x, max_iterations, tolerance);
  if (!has(status, StepStatus::not_finite)) state.scratch.failed = false;
  return status;
}

ReducedEnergy energy(const ReducedModel& model, ReducedState& state) noexcept {
  Active x(model, state);
  x.product.noalias() = x.M * x.v;
  return {.kinetic = 0.5 * x.v.dot(x.product), .elastic = elastic_energy(x)};
}

}  // namespace pliant
