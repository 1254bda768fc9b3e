// SPDX-License-Identifier: MIT
// Implicit steps of the full engine: M u'' + D u' + R(u) = F at the end of the step, solved by
// Newton's method with a line search. D = alpha M + beta K, K at the start of the step.
//
// Newmark:        u'' = (u - u_n) / (beta dt^2) - u'_n / (beta dt) - (1 / (2 beta) - 1) u''_n
//                 u'  = u'_n + dt ((1 - gamma) u''_n + gamma u'')
//                 second order for gamma = 1/2; beta = 1/4 keeps the energy of a linear body
// backward Euler: u' = (u - u_n) / dt, u'' = (u' - u'_n) / dt; first order, damps
#pragma once

#include <memory>
#include <stop_token>

#include "pliant/base/step_status.hpp"
#include "pliant/full/full_model.hpp"

namespace pliant {

struct ImplicitOptions {
  enum class Scheme { newmark, backward_euler };
  enum class Solver { direct, pcg };
  Scheme scheme = Scheme::newmark;
  Solver solver = Solver::direct;
  double beta = 0.25, gamma = 0.5;  // of Newmark: beta > 0, gamma >= 1/2
  int max_iterations = 20;          // of Newton
  double tolerance = 1e-10;         // of the residual, relative to the largest force in it
};

class ImplicitStepper {
 public:
  // Throws Error for options out of range.
  ImplicitStepper(const FullModel& model, const ImplicitOptions& options);
  ~ImplicitStepper();

  // Makes the acceleration of `state` agree with its displacement, velocity and load.
  void start(const FullLoad& load, FullState& state);
  // One step of any dt > 0; of another dt none, and unstable_step. not_converged: the best iterate
  // was taken. not_definite: the matrix needed a shift. not_finite, or failed as it was stopped: the
  // state was put back.
  StepStatus step(const FullLoad& load, double dt, FullState& state,
                  const std::stop_token& stop = {});

  int iterations() const;  // of Newton, in the last step

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant
