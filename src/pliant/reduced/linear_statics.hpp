// SPDX-License-Identifier: MIT
// A reduced body as the small deformations of its rest shape see it, without inertia:
//
//   (K(0) + K_t) q = f + K_t q_0
//
// where K_t is the tangent of the load f at q_0: springs at points, the hands of a user, are
// balanced at once however stiff they are. It is what a sketch is made on, [Barbic07] 2.8.2. Only
// the active coordinates move. Nothing is allocated after construction.
#pragma once

#include "pliant/base/step_status.hpp"
#include "pliant/reduced/reduced_model.hpp"

namespace pliant {

class LinearStatics {
 public:
  explicit LinearStatics(Index r);

  // Moves the state to equilibrium with the load, at rest. not_definite: nothing was done.
  StepStatus solve(const ReducedModel& model, const ReducedLoad& load,
                   ReducedState& state) noexcept;

 private:
  MatrixXd K_;             // at rest
  VectorXd force_, zero_;  // scratch
  long edits_ = -1;        // of the model, when K was evaluated
  DenseSolver solver_;
};

}  // namespace pliant
