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

#include <memory>
#include <stop_token>
#include <vector>

#include "pliant/base/step_status.hpp"
#include "pliant/full/full_model.hpp"
#include "pliant/linalg/cholesky.hpp"

namespace pliant {

// What is made once of a model and a longest step, and shared by all bodies of it.
class ConsistentFactors {
 public:
  // Steps longest / 2^i for i < levels. Throws Error: levels out of 1..20, a longest step that is
  // not positive, no level that is stable, or only one of more than most_parts_of_a_step.
  ConsistentFactors(const FullModel& model, double longest, int levels);

  int levels() const { return static_cast<int>(of_level_.size()); }
  double step_of(int level) const;  // longest / 2^level [s]
  // The coarsest level that is stable, 2 / omega_max with the consistent mass.
  int stable_level() const { return stable_level_; }
  double critical_step() const { return critical_step_; }

  const FullModel& model() const { return model_; }
  const SparseMatrix& damping() const { return D_; }
  const Cholesky& mass() const { return mass_; }  // of M
  const Cholesky& of_level(int level) const {     // of M + dt/2 D
    return of_level_[static_cast<std::size_t>(level)];
  }

 private:
  const FullModel& model_;
  double longest_;
  SparseMatrix D_;
  std::vector<Cholesky> of_level_;
  Cholesky mass_;
  double critical_step_ = 0.0;
  int stable_level_ = 0;
};

class ConsistentStepper {
 public:
  explicit ConsistentStepper(std::shared_ptr<const ConsistentFactors> factors);
  ConsistentStepper(const FullModel& model, double longest, int levels)
      : ConsistentStepper(std::make_shared<const ConsistentFactors>(model, longest, levels)) {}

  int levels() const { return factors_->levels(); }
  double step_of(int level) const { return factors_->step_of(level); }
  int stable_level() const { return factors_->stable_level(); }
  double critical_step() const { return factors_->critical_step(); }

  void start(const FullLoad& load, FullState& state);
  // One step of step_of(level). unstable_step, and nothing done, for a level that is too coarse;
  // not_finite, and the state put back, if numbers are lost.
  StepStatus step(const FullLoad& load, int level, FullState& state);
  // The longest step of all, as steps of the coarsest stable level; failed, at the time that was
  // reached, if it is stopped.
  StepStatus advance(const FullLoad& load, FullState& state, const std::stop_token& stop = {});

  const CholeskyStatistics& statistics() const { return factors_->of_level(0).statistics(); }

 private:
  void evaluate_force(const FullLoad& load, FullState& state);

  std::shared_ptr<const ConsistentFactors> factors_;
  const FullModel& model_;
  Cholesky::Workspace workspace_;
  VectorXd fz_, right_, predicted_;
  VectorXd old_z_, old_v_, old_a_;  // of the step under way
};

}  // namespace pliant
