// SPDX-License-Identifier: MIT
#include "pliant/reduced/active_state.hpp"

#include <cmath>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

constexpr double first_shift = 3e-4, largest_shift = 1e6;  // of the mean diagonal
constexpr double inactive_decay = 0.02;  // s, time constant of the coordinates left out
constexpr double inactive_zero = 1e-30;  // below it they are zero
constexpr Index rigid_freedoms = 6;      // of a load's tangent, before the coordinates

auto of_coordinates(const MatrixXd& tangent, Index n) {
  return tangent.block(rigid_freedoms, rigid_freedoms, n, n);
}

}  // namespace

ActiveState::ActiveState(const ReducedModel& m, ReducedState& s)
    : ActiveState(m, s, m.mass().topLeftCorner(m.active(), m.active())) {}

ActiveState::ActiveState(const ReducedModel& m, ReducedState& s,
                         const Eigen::Ref<const MatrixXd>& mass)
    : model(m),
      state(s),
      scratch(s.scratch),
      n(m.active()),
      M(mass),
      q(s.q.head(n)),
      v(s.v.head(n)),
      a(s.a.head(n)),
      old_q(scratch.old_q.head(n)),
      old_v(scratch.old_v.head(n)),
      old_a(scratch.old_a.head(n)),
      f(scratch.f.head(n)),
      R(scratch.R.head(n)),
      residual(scratch.residual.head(n)),
      dq(scratch.dq.head(n)),
      product(scratch.product.head(n)),
      K(scratch.K.topLeftCorner(n, n)),
      D(scratch.D.topLeftCorner(n, n)),
      A(scratch.A.topLeftCorner(n, n)) {
  PLIANT_ASSERT(s.q.size() == m.size() && mass.rows() == n && mass.cols() == n,
                "the state and the mass must be of this model");
}

bool ActiveState::take(const ReducedLoad& load) noexcept {
  PLIANT_ASSERT(load.force.size() == model.size(), "the load must be of this model");
  f = load.force.head(n);
  load_tangent = load.tangent;
  tangent_factor = load.tangent_factor;
  if (load_tangent != nullptr) {
    PLIANT_ASSERT(load_tangent->K.rows() == rigid_freedoms + model.size(),
                  "the tangent must be of this model");
    // Both are positive semidefinite: the traces bound all entries.
    if (!std::isfinite(load_tangent->K.trace() + load_tangent->D.trace())) return false;
  }
  return is_finite(f);
}

void ActiveState::add_lost_spring(const Eigen::Ref<const VectorXd>& moved) noexcept {
  product.noalias() = of_coordinates(load_tangent->K, n).selfadjointView<Eigen::Lower>() * moved;
  residual += tangent_factor * product;
}

void ActiveState::add_lost_damping() noexcept {
  dq = v - old_v;
  product.noalias() = of_coordinates(load_tangent->D, n).selfadjointView<Eigen::Lower>() * dq;
  residual += tangent_factor * product;
}

void ActiveState::add_tangent(double k, double d) noexcept {
  A += tangent_factor * k * of_coordinates(load_tangent->K, n);
  if (d > 0) A += tangent_factor * d * of_coordinates(load_tangent->D, n);
}

void ActiveState::remember_start() noexcept {
  old_q = q;
  old_v = v;
  old_a = a;
}

void ActiveState::evaluate_forces() noexcept {
  with_forces(model.forces(), scratch.forces,
              [&](const auto& forces, auto& workspace) { forces.evaluate(q, R, K, workspace); });
}

double ActiveState::elastic_energy() noexcept {
  return with_forces(model.forces(), scratch.forces, [&](const auto& forces, auto& workspace) {
    return forces.energy(q, workspace);
  });
}

double ActiveState::kinetic_energy() noexcept {
  product.noalias() = M * v;
  return 0.5 * v.dot(product);
}

void ActiveState::form_damping() noexcept {
  D = model.damping().alpha * M + model.damping().beta * K;
  if (const PolynomialDamping* const damping = model.strain_rate_damping()) {
    PLIANT_ASSERT(scratch.strain_rate_damping, "the state must be of the same model");
    damping->add(q, D, *scratch.strain_rate_damping);
  }
}

bool ActiveState::solve_for_step(StepStatus& status) noexcept {
  DenseSolver& solver = scratch.solver;
  if (!solver.factor(A)) {
    status |= StepStatus::not_definite;
    const double mean = A.diagonal().cwiseAbs().mean();
    if (!std::isfinite(mean) || !(mean > 0)) return false;
    double shift = first_shift * mean;
    A.diagonal().array() += shift;
    while (!solver.factor(A)) {
      if (shift > largest_shift * mean) return false;
      A.diagonal().array() += 9.0 * shift;
      shift *= 10.0;
    }
  }
  dq = -residual;
  solver.solve(dq);
  return true;
}

bool ActiveState::cut_acceleration(StepStatus& status) noexcept {
  const double size = a.norm();
  if (!(size > model.options().acceleration_limit)) return false;
  a *= model.options().acceleration_limit / size;
  status |= StepStatus::limited;
  return true;
}

void ActiveState::mark_sound() noexcept {
  scratch.sound_q.head(n) = q;
}

StepStatus ActiveState::put_back(StepStatus status) noexcept {
  auto sound = scratch.sound_q.head(n);
  if (scratch.failed) sound *= 0.5;
  scratch.failed = true;
  scratch.guard.forget();
  q = sound;
  v.setZero();
  a.setZero();
  return status | StepStatus::not_finite;
}

StepStatus ActiveState::finish(StepStatus status) noexcept {
  const double dt = model.options().dt;
  scratch.failed = false;
  state.time += dt;
  const Index left_out = model.size() - n;
  if (left_out > 0) {
    auto rest = state.q.tail(left_out);
    rest *= std::exp(-dt / inactive_decay);
    if (!(rest.cwiseAbs().maxCoeff() > inactive_zero)) rest.setZero();
    state.v.tail(left_out).setZero();
    state.a.tail(left_out).setZero();
    scratch.sound_q.tail(left_out).setZero();
  }
  return status;
}

}  // namespace pliant
