// SPDX-License-Identifier: MIT
#include "pliant/serve/reaper.hpp"

#include <malloc.h>

namespace pliant::serve {

Reaper::Reaper() : thread_([this] { run(); }) {}

Reaper::~Reaper() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Reaper::take(std::unique_ptr<OpenScene> scene) {
  scene->simulation().give_up();
  {
    const std::lock_guard lock(mutex_);
    scenes_.push_back(std::move(scene));
  }
  changed_.notify_all();
}

std::size_t Reaper::waiting() const {
  const std::lock_guard lock(mutex_);
  return scenes_.size();
}

void Reaper::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !scenes_.empty(); });
    if (scenes_.empty()) return;
    std::unique_ptr<OpenScene> scene = std::move(scenes_.front());
    lock.unlock();
    scene.reset();
    ::malloc_trim(0);  // what the scene and its bake have used goes back to the system
    lock.lock();
    scenes_.pop_front();
  }
}

}  // namespace pliant::serve
