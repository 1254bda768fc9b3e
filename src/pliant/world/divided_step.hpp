// SPDX-License-Identifier: MIT
// A body that makes one step of its own for every `divider` steps of the world, by a worker, and is
// shown between its last two states, one step of its own late. [Zhuang00] 5.4.2
//
//   world's step   0 .. D-1          D .. 2D-1            2D .. 3D-1
//   worker makes   state(D)          state(2D)            state(3D)
//   shown          rest              state(0)..state(D)   state(D)..state(2D)
//
// Which states are blended depends on step numbers alone. If the worker is late at a multiple of D,
// the world either waits, and the motion is that of a faster machine, or holds the state it has
// until the next multiple, and says so.
#pragma once

#include <cstdint>
#include <memory>

#include "pliant/world/engine.hpp"
#include "pliant/world/worker.hpp"

namespace pliant {

class DividedStep {
 public:
  // `motion`: of the state now.
  DividedStep(const EngineOps& ops, const void* model, void* state, int divider, Load empty,
              Motion motion, std::unique_ptr<Worker> worker);
  DividedStep(DividedStep&&) noexcept = default;
  DividedStep& operator=(DividedStep&&) noexcept = default;
  ~DividedStep();

  int divider() const { return divider_; }
  // How many of its own steps were taken, and how long the last of them took.
  std::int64_t steps() const { return steps_; }
  std::int64_t last_step_ns() const { return last_step_ns_; }
  // Of the state that was taken last.
  const Energy& energy() const { return energy_; }
  // Step `n` of the world under the load; `shown` is the motion at its end. `wait`: for a late
  // worker; else StepStatus::late. The status of a step is told when its state is taken.
  StepStatus step(std::int64_t n, const Load& load, bool wait, Motion& shown) noexcept;
  // The state's engine may be asked, and its model edited.
  bool at_rest() noexcept { return !running_ || job_->worker->done(); }
  void wait() noexcept { job_->worker->wait(); }
  // Shows the state at rest from now on; a job that runs is thrown away when it ends.
  void reset(const Motion& rest) noexcept;

 private:
  struct Job {  // what the worker sees; it stays where it is
    const EngineOps* ops;
    const void* model;
    void* state;
    Load load;
    StepStatus status = StepStatus::ok;
    std::int64_t ns = 0;  // that it took
    std::unique_ptr<Worker> worker;
  };

  int divider_;
  std::unique_ptr<Job> job_;
  Load sum_;  // of the world's steps since the last job began
  int summed_ = 0;
  Motion from_, to_;
  bool running_ = false, discard_ = false;
  std::int64_t steps_ = 0, last_step_ns_ = 0;
  Energy energy_;
};

// Positions, coefficients and rates linearly, the rotation along the shortest way.
void blend(const Motion& from, const Motion& to, double t, Motion& out) noexcept;

}  // namespace pliant
