// SPDX-License-Identifier: MIT
// A worker with a thread of its own. Starting a job and asking for its end never wait.
#pragma once

#include <atomic>
#include <thread>

#include "pliant/world/worker.hpp"

namespace pliant {

class ThreadWorker final : public Worker {
 public:
  ThreadWorker();
  ~ThreadWorker() override;  // waits for the end of its job
  ThreadWorker(const ThreadWorker&) = delete;
  ThreadWorker& operator=(const ThreadWorker&) = delete;

  void start(Work work, void* context) noexcept override;
  bool done() noexcept override;
  void wait() noexcept override;

 private:
  enum State : int { idle, busy, ending };
  void run() noexcept;

  std::atomic<int> state_{idle};
  Work work_ = nullptr;
  void* context_ = nullptr;
  std::thread thread_;
};

std::unique_ptr<Worker> make_thread_worker();

}  // namespace pliant
