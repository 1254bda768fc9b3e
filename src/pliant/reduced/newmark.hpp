// SPDX-License-Identifier: MIT
// The implicit Newmark step; its formulas are in reduced_step.hpp. In parts, so that forces that
// depend on where the step ends can be corrected: begin, solve as often as wanted, end.
#pragma once

#include "pliant/reduced/active_state.hpp"

namespace pliant {

class NewmarkStep {
 public:
  explicit NewmarkStep(ActiveState& x) noexcept;

  // Forces at the beginning of the step. If the last one made energy, the state is mended first.
  void begin() noexcept;
  // q, v, a at the end of the step from those at its beginning, under x.f with the mass x.M. False
  // if numbers were lost; end() puts the state back then.
  bool solve() noexcept;
  StepStatus end() noexcept;

 private:
  void come_back() noexcept;
  void evaluate_anew() noexcept;
  double scale_of_forces() noexcept;
  void follow() noexcept;
  void shorten_where_unstable() noexcept;

  ActiveState& x_;
  double a1_, a2_, a3_, a4_, a5_, a6_;  // [Barbic07] 2.9
  ActiveState::Vector moved_;           // q - old_q, without the rounding of q
  // R and K at the beginning, kept when Newton's method goes on to others.
  ActiveState::Vector first_R_;
  ActiveState::Matrix first_K_;
  bool moved_on_ = false;
  double kinetic_ = 0.0;  // at the beginning
  double forces_ = 1.0;   // what the acceleration's limit leaves of them
  bool lost_ = false;
  StepStatus status_ = StepStatus::ok;        // of begin()
  StepStatus solve_status_ = StepStatus::ok;  // of the last solve()
};

// The first system of Newton's method in the step to come, A dq = b, in the upper left of `A` and the
// head of `b`: how many coordinates move, or 0 if numbers are lost. The state stays as it is.
Index newmark_tangent(const ReducedModel& model, const ReducedLoad& load, ReducedState& state,
                      MatrixXd& A, VectorXd& b) noexcept;

// One step under x.f.
StepStatus newmark_step(ActiveState& x) noexcept;

}  // namespace pliant
