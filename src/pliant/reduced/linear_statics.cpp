// SPDX-License-Identifier: MIT
#include "pliant/reduced/linear_statics.hpp"

#include "pliant/reduced/active_state.hpp"

namespace pliant {

LinearStatics::LinearStatics(Index r)
    : K_(MatrixXd::Zero(r, r)), force_(VectorXd::Zero(r)), zero_(VectorXd::Zero(r)), solver_(r) {}

StepStatus LinearStatics::solve(const ReducedModel& model, const ReducedLoad& load,
                                ReducedState& state) noexcept {
  const Index n = model.active();
  if (edits_ != model.edits()) {
    with_forces(model.forces(), state.scratch.forces, [&](const auto& forces, auto& workspace) {
      forces.evaluate(zero_.head(n), force_.head(n), K_.topLeftCorner(n, n), workspace);
    });
    edits_ = model.edits();
  }
  ActiveState x(model, state);
  if (!x.take(load)) return StepStatus::not_finite;
  x.A = K_.topLeftCorner(n, n);
  x.residual = x.f;
  if (x.has_tangent()) {
    x.add_tangent(1.0, 0.0);
    x.add_lost_spring(x.q);  // f + K_t q_0
  }
  if (!solver_.factor(x.A)) return StepStatus::not_definite;
  solver_.solve(x.residual);
  state.q.setZero();
  x.q = x.residual;
  state.v.setZero();
  state.a.setZero();
  return StepStatus::ok;
}

}  // namespace pliant
