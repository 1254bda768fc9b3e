// SPDX-License-Identifier: MIT
// The coordinates of a state that move, under a step, and what the schemes have in common.
#pragma once

#include <cmath>

#include "pliant/base/step_status.hpp"
#include "pliant/reduced/reduced_model.hpp"

namespace pliant {

// Views of the leading n = model.active() numbers of a state and its scratch.
struct ActiveState {
  using Vector = Eigen::VectorBlock<VectorXd>;
  using Matrix = Eigen::Block<MatrixXd>;

  // With the mass of the model, or with another one, whose values may change meanwhile.
  ActiveState(const ReducedModel& model, ReducedState& state);
  ActiveState(const ReducedModel& model, ReducedState& state,
              const Eigen::Ref<const MatrixXd>& mass);

  const ReducedModel& model;
  ReducedState& state;
  ReducedState::Scratch& scratch;
  Index n;
  Eigen::Ref<const MatrixXd> M;
  Vector q, v, a;
  Vector old_q, old_v, old_a;  // at the beginning of the step
  Vector f, R, residual, dq, product;
  Matrix K, D, A;
  const LoadTangent* load_tangent = nullptr;
  double tangent_factor = 1.0;

  // f from the load, and its tangent. False if it is not finite.
  bool take(const ReducedLoad& load) noexcept;
  bool has_tangent() const noexcept { return load_tangent != nullptr; }
  // residual += K_t moved, residual += D_t (v - old_v): what the load has lost. Use product.
  void add_lost_spring(const Eigen::Ref<const VectorXd>& moved) noexcept;
  void add_lost_damping() noexcept;
  // A += k K_t + d D_t
  void add_tangent(double k, double d) noexcept;
  void remember_start() noexcept;
  // R and K at q.
  void evaluate_forces() noexcept;
  double elastic_energy() noexcept;
  double kinetic_energy() noexcept;
  // D at q, K being that at q. All damping comes in here.
  void form_damping() noexcept;
  // A dq = -residual; A is shifted if it is not positive definite. False: it cannot be factored.
  bool solve_for_step(StepStatus& status) noexcept;
  // Cuts a to the limit. False: it was below.
  bool cut_acceleration(StepStatus& status) noexcept;

  // The forces at q are finite: a place to come back to.
  void mark_sound() noexcept;
  // The end of a step that lost its numbers: back to the last sound place, or, if the last step
  // ended here too, half the way from there to rest.
  StepStatus put_back(StepStatus status) noexcept;
  // The end of a step that went well.
  StepStatus finish(StepStatus status) noexcept;
};

// One step by the scheme of the model, under x.f with the mass x.M. (reduced_step.cpp)
StepStatus advance(ActiveState& x) noexcept;

inline bool is_finite(const Eigen::Ref<const VectorXd>& x) noexcept {
  return std::isfinite(x.squaredNorm());
}

}  // namespace pliant
