// SPDX-License-Identifier: MIT
// A world that runs in its own thread, paced by the clock. The thread that serves viewers posts
// commands, takes the newest state and reads how long the cycles took; nothing of that makes the
// loop wait: a queue of commands, a triple buffer of states, a queue of cycle times.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "pliant/base/queue.hpp"
#include "pliant/haptics/paced_loop.hpp"
#include "pliant/serve/frame.hpp"
#include "pliant/world/recording/cycle_recorder.hpp"
#include "pliant/world/world.hpp"

namespace pliant::serve {

class Simulation {
 public:
  // `real_time`: above all ordinary threads, as far as the system allows (haptics/real_time.hpp).
  // `cpu`: that it runs on then; below 0: any.
  Simulation(World world, bool real_time, int cpu = -1);
  ~Simulation();  // stops and waits for the end of its step
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Every cycle to a file from now on; before start(). Throws Error: it cannot be written.
  void record(const std::filesystem::path& path);
  std::string recording_problem() const { return recorder_ ? recorder_->problem() : ""; }
  void start();
  void stop();
  // As stop(), but waits for nothing: a step under way ends as soon as it can.
  void give_up() noexcept;
  const World& world() const { return world_; }  // what does not change while it runs
  const PacedLoop& loop() const { return loop_; }

  // --- one thread, that of the server
  // False: too many commands are waiting.
  bool post(const Command& command) noexcept { return world_.post(command); }
  // Takes the newest state; false if there is none since the last call.
  bool fetch() noexcept { return world_.snapshots().fetch(); }
  const WorldState& state() noexcept { return world_.snapshots().front(); }
  // What the system does not let the loop have in real time; empty: nothing, or it has not begun.
  std::string missing_rights() const;
  // Takes the cycles since the last call.
  CycleFigures figures();
  const CycleHistogram& histogram() const { return histogram_; }  // of all that figures() took

 private:
  struct CycleRecord {
    std::int64_t ns;
    StepStatus status;
    Fault fault;  // if there is a status
  };

  World world_;
  std::unique_ptr<CycleRecorder> recorder_;
  bool real_time_;
  int cpu_;
  std::atomic<bool> without_fifo_{false}, unlocked_{false};
  PacedLoop loop_;
  Queue<CycleRecord> cycles_;
  CycleHistogram histogram_;
  std::vector<float> recent_, sorted_;  // us: of the last second, a ring; scratch
  std::size_t next_ = 0, filled_ = 0;   // in the ring
  std::jthread thread_;
};

}  // namespace pliant::serve
