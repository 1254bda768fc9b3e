// SPDX-License-Identifier: MIT
#include "pliant/reduced/linear_statics.hpp"

namespace pliant {

LinearStatics::LinearStatics(Index r)
    : K_(MatrixXd::Zero(r, r)),
      springs_(K_),
      A_(K_),
      row_(VectorXd::Zero(r)),
      zero_(row_),
      solver_(r) {}

void LinearStatics::add_spring(const LinearShape& shape, int point, double stiffness,
                               const Vector3d& target, VectorXd& force) noexcept {
  const Vector3d pull = stiffness * (target - shape.rest_position(point).cast<double>());
  shape.add_force(point, pull.cast<float>(), force);
  for (int axis = 0; axis < 3; ++axis) {
    row_.setZero();
    shape.add_force(point, Vector3f::Unit(axis), row_);
    springs_.selfadjointView<Eigen::Lower>().rankUpdate(row_, stiffness);
  }
}

StepStatus LinearStatics::solve(const ReducedModel& model, const VectorXd& force,
                                ReducedState& state) noexcept {
  const Index n = model.active();
  if (edits_ != model.edits()) {
    with_forces(model.forces(), state.scratch.forces, [&](const auto& forces, auto& workspace) {
      forces.evaluate(zero_.head(n), row_.head(n), K_.topLeftCorner(n, n), workspace);
    });
    edits_ = model.edits();
  }
  A_ = K_ + springs_;
  if (!force.allFinite()) return StepStatus::not_finite;
  if (!solver_.factor(A_.topLeftCorner(n, n))) return StepStatus::not_definite;
  state.q.setZero();
  state.q.head(n) = force.head(n);
  solver_.solve(state.q.head(n));
  state.v.setZero();
  state.a.setZero();
  return StepStatus::ok;
}

}  // namespace pliant
