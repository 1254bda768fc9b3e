// SPDX-License-Identifier: MIT
// Ends scenes in a thread of its own: the step that a simulation is at may take long, and nobody who
// serves viewers waits for it.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "pliant/serve/open_scene.hpp"

namespace pliant::serve {

class Reaper {
 public:
  Reaper();
  ~Reaper();  // waits until all are gone
  Reaper(const Reaper&) = delete;
  Reaper& operator=(const Reaper&) = delete;

  // Its simulation is told to give up.
  void take(std::unique_ptr<OpenScene> scene);
  // Scenes that were taken and are not gone yet.
  std::size_t waiting() const;

 private:
  void run();

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<std::unique_ptr<OpenScene>> scenes_;  // the first is being ended
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace pliant::serve
