// SPDX-License-Identifier: MIT
// A reduced body as the small deformations of its rest shape see it, without inertia:
//
//   (K(0) + sum_s k_s U_s^T U_s) q = f + sum_s k_s U_s^T (target_s - X_s)
//
// so that springs at points, the hands of a user, are balanced at once however stiff they are. It
// is what a sketch is made on, [Barbic07] 2.8.2. Only the active coordinates move. Nothing is
// allocated after construction.
#pragma once

#include "pliant/base/step_status.hpp"
#include "pliant/reduced/reduced_model.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant {

class LinearStatics {
 public:
  explicit LinearStatics(Index r);

  void clear_springs() noexcept { springs_.setZero(); }
  // A spring [N/m] of a point to a place in the body's frame; its pull at rest goes to `force`.
  void add_spring(const LinearShape& shape, int point, double stiffness, const Vector3d& target,
                  VectorXd& force) noexcept;

  // Moves the state to equilibrium with the force and the springs, at rest. not_definite: nothing
  // was done.
  StepStatus solve(const ReducedModel& model, const VectorXd& force, ReducedState& state) noexcept;

 private:
  MatrixXd K_, springs_, A_;  // at rest; of the springs; both
  VectorXd row_, zero_;       // scratch
  long edits_ = -1;           // of the model, when K was evaluated
  DenseSolver solver_;
};

}  // namespace pliant
