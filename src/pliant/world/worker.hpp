// SPDX-License-Identifier: MIT
// Who makes the steps of a body that cannot hold the world's rate. One job at a time.
#pragma once

#include <memory>

namespace pliant {

class Worker {
 public:
  using Work = void (*)(void* context) noexcept;

  virtual ~Worker() = default;
  // Only when the last job is done.
  virtual void start(Work work, void* context) noexcept = 0;
  virtual bool done() noexcept = 0;
  virtual void wait() noexcept = 0;
};

// Does the work at once: the same states, without threads.
class PromptWorker final : public Worker {
 public:
  void start(Work work, void* context) noexcept override { work(context); }
  bool done() noexcept override { return true; }
  void wait() noexcept override {}
};

using MakeWorker = std::unique_ptr<Worker> (*)();

}  // namespace pliant
