// SPDX-License-Identifier: MIT
#include "pliant/reduced/newmark.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr int most_halvings = 10;
constexpr double least_curvature = 0.25;  // of that of inertia alone

}  // namespace

NewmarkStep::NewmarkStep(ActiveState& x) noexcept
    : x_(x),
      moved_(x.scratch.moved.head(x.n)),
      first_R_(x.scratch.first_R.head(x.n)),
      first_K_(x.scratch.first_K.topLeftCorner(x.n, x.n)) {
  const StepOptions& o = x.model.options();
  const double b = o.beta, g = o.gamma, dt = o.dt;
  a1_ = 1.0 / (b * dt * dt);
  a2_ = 1.0 / (b * dt);
  a3_ = (1.0 - 2.0 * b) / (2.0 * b);
  a4_ = g / (b * dt);
  a5_ = 1.0 - g / b;
  a6_ = (1.0 - g / (2.0 * b)) * dt;
}

void NewmarkStep::begin() noexcept {
  EnergyGuard& guard = x_.scratch.guard;
  if (x_.scratch.edits != x_.model.edits()) {
    x_.scratch.edits = x_.model.edits();
    guard.forget();
  }
  x_.evaluate_forces();
  if (!is_finite(x_.R)) come_back();
  kinetic_ = x_.kinetic_energy();
  const EnergyGuard::Verdict verdict =
      guard.look(x_.q, x_.R, x_.K, kinetic_, [&] { return x_.elastic_energy(); });
  if (!verdict.sound()) {
    status_ |= StepStatus::limited;
    x_.v *= verdict.velocity;
    x_.a.setZero();
    kinetic_ *= verdict.velocity * verdict.velocity;
    if (verdict.way < 1.0) {
      x_.q -= (1.0 - verdict.way) * guard.way();
      x_.evaluate_forces();
    }
  }
  x_.remember_start();
}

// The last step went where there are no forces (an element turned inside out, of a law that does
// not allow it): back on its way, until there are.
void NewmarkStep::come_back() noexcept {
  const EnergyGuard& guard = x_.scratch.guard;
  if (!guard.ends_at(x_.q)) return;
  double kept = 1.0;
  for (int halving = 0; halving < most_halvings && !is_finite(x_.R); ++halving) {
    kept *= 0.5;
    x_.q -= kept * guard.way();
    x_.evaluate_forces();
  }
  x_.v.setZero();
  x_.a.setZero();
  status_ |= StepStatus::limited;
}

void NewmarkStep::evaluate_anew() noexcept {
  if (!moved_on_) {
    first_R_ = x_.R;
    first_K_ = x_.K;
    moved_on_ = true;
  }
  x_.evaluate_forces();
}

// [Barbic07] 3.10.2
double NewmarkStep::scale_of_forces() noexcept {
  const double limit = x_.model.options().acceleration_limit;
  if (std::isinf(limit)) return 1.0;
  x_.product = x_.f - x_.R;
  x_.product.noalias() -= x_.D * x_.old_v;
  x_.model.mass_solver().solve(x_.product);
  const double size = x_.product.norm();
  if (!(size > limit)) return 1.0;
  solve_status_ |= StepStatus::limited;
  return limit / size;
}

void NewmarkStep::follow() noexcept {
  x_.v = a4_ * moved_ + a5_ * x_.old_v + a6_ * x_.old_a;
  x_.a = a1_ * moved_ - a2_ * x_.old_v - a3_ * x_.old_a;
}

// K of a body that is pressed together may be nearly as negative as inertia, a1 M, is positive; the
// linear system then throws the body far out. With K >= 0, dq.A dq >= a1 dq.M dq.
void NewmarkStep::shorten_where_unstable() noexcept {
  x_.product.noalias() = x_.M * x_.dq;
  const double least = least_curvature * a1_ * x_.dq.dot(x_.product);
  const double curvature = -x_.dq.dot(x_.residual);  // A dq = -residual
  if (!(curvature < least)) return;
  x_.dq *= curvature / least;
  solve_status_ |= StepStatus::not_definite;
}

bool NewmarkStep::solve() noexcept {
  const StepOptions& o = x_.model.options();
  solve_status_ = StepStatus::ok;
  lost_ = true;
  moved_.setZero();
  x_.q = x_.old_q;
  if (moved_on_) {
    x_.R = first_R_;
    x_.K = first_K_;
  }
  double allowed = 0.0;
  for (int iteration = 0;; ++iteration) {
    if (iteration > 0) evaluate_anew();
    x_.form_damping();
    if (iteration == 0) forces_ = scale_of_forces();
    follow();
    x_.residual = x_.R - x_.f;
    double scale = std::max(x_.R.squaredNorm(), x_.f.squaredNorm());
    x_.product.noalias() = x_.D * x_.v;
    x_.residual += x_.product;
    scale = std::max(scale, x_.product.squaredNorm());
    if (x_.has_tangent()) {
      x_.add_lost_spring(moved_);
      x_.add_lost_damping();
    }
    x_.product.noalias() = x_.M * x_.a;
    x_.residual = forces_ * x_.residual + x_.product;
    scale = std::max(forces_ * forces_ * scale, x_.product.squaredNorm());
    const double size = x_.residual.squaredNorm();
    if (iteration == 0) {
      if (!std::isfinite(size)) return false;
      x_.mark_sound();
    }
    if (size <= o.tolerance * o.tolerance * scale) break;
    if (iteration == o.max_iterations) {
      solve_status_ |= StepStatus::not_converged;
      break;
    }
    // A full first step may leave a residual far above the one at the start: bending without the
    // stretch that the stiff shapes have yet to take back. Only what is above both went too far.
    if (iteration <= 1) allowed = std::max(allowed, size);
    if (size <= allowed) {
      x_.A = a1_ * x_.M + forces_ * (a4_ * x_.D + x_.K);
      if (x_.has_tangent()) x_.add_tangent(forces_, forces_ * a4_);
      if (!x_.solve_for_step(solve_status_)) return false;
      shorten_where_unstable();
      moved_ += x_.dq;
    } else {  // too far
      x_.dq *= 0.5;
      moved_ -= x_.dq;
    }
    x_.q = x_.old_q + moved_;
    if (iteration + 1 == o.max_iterations && !o.checks_convergence()) {
      follow();
      break;
    }
  }
  if (!is_finite(x_.a) || !is_finite(x_.q)) return false;
  if (x_.cut_acceleration(solve_status_)) {
    const double b = o.beta, g = o.gamma, dt = o.dt;
    x_.q = x_.old_q + dt * x_.old_v + dt * dt * ((0.5 - b) * x_.old_a + b * x_.a);
    x_.v = x_.old_v + dt * ((1.0 - g) * x_.old_a + g * x_.a);
  }
  lost_ = false;
  return true;
}

StepStatus NewmarkStep::end() noexcept {
  const StepStatus status = status_ | solve_status_;
  if (lost_) return x_.put_back(status);
  if (x_.has_tangent()) {  // the load as it was at the end
    x_.residual = -x_.f;
    x_.add_lost_spring(moved_);
    x_.add_lost_damping();
    x_.f = -x_.residual;
  }
  if (forces_ < 1.0) {
    x_.scratch.guard.forget();
  } else {
    x_.scratch.guard.remember(x_.old_q, x_.q, moved_on_ ? first_R_ : x_.R,
                              moved_on_ ? first_K_ : x_.K, x_.f, kinetic_);
  }
  return x_.finish(status);
}

Index newmark_tangent(const ReducedModel& model, const ReducedLoad& load, ReducedState& state,
                      MatrixXd& A, VectorXd& b) noexcept {
  ActiveState x(model, state);
  if (!x.take(load)) return 0;
  const StepOptions& o = model.options();
  const double beta = o.beta, g = o.gamma, dt = o.dt;
  const double a1 = 1 / (beta * dt * dt), a4 = g / (beta * dt);
  x.evaluate_forces();
  x.remember_start();
  x.form_damping();
  // Velocity and acceleration at the end if it does not move.
  x.v = (1 - g / beta) * x.old_v + (1 - g / (2 * beta)) * dt * x.old_a;
  x.residual = x.R - x.f;
  x.product.noalias() = x.D * x.v;
  x.residual += x.product;
  if (x.has_tangent()) x.add_lost_damping();
  x.v = x.old_v;
  x.dq = -1 / (beta * dt) * x.old_v - (1 - 2 * beta) / (2 * beta) * x.old_a;
  x.product.noalias() = x.M * x.dq;
  x.residual += x.product;
  x.A = a1 * x.M + a4 * x.D + x.K;
  if (x.has_tangent()) x.add_tangent(1.0, a4);
  if (!is_finite(x.residual)) return 0;
  A.topLeftCorner(x.n, x.n) = x.A;
  b.head(x.n) = -x.residual;
  return x.n;
}

StepStatus newmark_step(ActiveState& x) noexcept {
  NewmarkStep step(x);
  step.begin();
  step.solve();
  return step.end();
}

}  // namespace pliant
