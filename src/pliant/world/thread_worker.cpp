// SPDX-License-Identifier: MIT
#include "pliant/world/thread_worker.hpp"

#include "pliant/base/assert.hpp"

namespace pliant {

ThreadWorker::ThreadWorker() : thread_([this] { run(); }) {}

ThreadWorker::~ThreadWorker() {
  wait();
  state_.store(ending, std::memory_order_release);
  state_.notify_all();
  thread_.join();
}

void ThreadWorker::start(Work work, void* context) noexcept {
  PLIANT_ASSERT(done(), "one job at a time");
  work_ = work;
  context_ = context;
  state_.store(busy, std::memory_order_release);
  state_.notify_all();
}

bool ThreadWorker::done() noexcept {
  return state_.load(std::memory_order_acquire) == idle;
}

void ThreadWorker::wait() noexcept {
  state_.wait(busy, std::memory_order_acquire);
}

void ThreadWorker::run() noexcept {
  for (;;) {
    state_.wait(idle, std::memory_order_acquire);
    if (state_.load(std::memory_order_acquire) == ending) return;
    work_(context_);
    state_.store(idle, std::memory_order_release);
    state_.notify_all();
  }
}

std::unique_ptr<Worker> make_thread_worker() {
  return std::make_unique<ThreadWorker>();
}

}  // namespace pliant
