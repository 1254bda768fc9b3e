// SPDX-License-Identifier: MIT
// Explicit central differences without lumping, [Zhuang00] ch. 4: the consistent mass and the full
// damping matrix D = alpha M + beta K(0) stay as they are,
//
//   (M + dt/2 D) u''_n+1 = F_n+1 - R(u_n+1) - D (u'_n + dt/2 u''_n)                   (3.8)
//
// and the step is restricted to T, T/2, T/4, ..: for each of them M + dt/2 D was factored before,
// in the order of modified nested dissection. A step is then the internal force and two triangular
// solves.
#pragma once

#include <vector>

#include "pliant/base/step_status.hpp"
#include "pliant/full/full_model.hpp"
#include "pliant/linalg/cholesky.hpp"

namespace pliant {

class ConsistentStepper {
 public:
  // Steps longest / 2^i for i < levels. Throws Error: levels out of 1..20, a longest step that is
  // not positive, no level that is stable.
  ConsistentStepper(const FullModel& model, double longest, int levels);

  int levels() const { return static_cast<int>(factors_.size()); }
  double step_of(int level) const;  // longest / 2^level [s]
  // The coarsest level that is stable, 2 / omega_max with the consistent mass.
  int stable_level() const { return stable_level_; }
  double critical_step() const { return critical_step_; }

  void start(const FullLoad& load, FullState& state);
  // One step of step_of(level). unstable_step, and nothing done, for a level that is too coarse;
  // not_finite, and the state put back, if numbers are lost.
  StepStatus step(const FullLoad& load, int level, FullState& state);

  const CholeskyStatistics& statistics() const { return factors_.front().statistics(); }

 private:
  void evaluate_force(const FullLoad& load, FullState& state);

  const FullModel& model_;
  double longest_;
  SparseMatrix M_, D_;
  std::vector<Cholesky> factors_;
  Cholesky mass_factor_;
  Cholesky::Workspace workspace_;
  double critical_step_ = 0.0;
  int stable_level_ = 0;
  VectorXd fz_, right_, predicted_;
  VectorXd old_z_, old_v_, old_a_;  // of the step under way
};

}  // namespace pliant
