// SPDX-License-Identifier: MIT
// A bake in a thread of its own, with progress that another thread can ask for, and a scene at its
// end that is ready to run.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "pliant/bake/bake_graph.hpp"
#include "pliant/base/progress.hpp"
#include "pliant/serve/open_scene.hpp"

namespace pliant::serve {

struct JobStep {
  enum class State { waiting, running, done, cached };
  std::string name;
  State state = State::waiting;
  double fraction = 0, seconds = 0;
  std::optional<double> seconds_left = {};
};

struct JobStatus {
  enum class State { running, done, cancelled, failed };
  State state = State::running;
  double fraction = 0, seconds = 0;
  std::optional<double> seconds_left = {};
  std::vector<JobStep> steps = {};
  std::string error = {};  // of a job that failed
};

class BakeJob {
 public:
  struct Options {
    std::filesystem::path cache;  // folder of finished steps
    SceneFiles files;             // what the scene needs; the asset is written to its own
    bool real_time = true;
    Figures quality = Figures::if_known;
    std::vector<BakeStepReport> before = {};  // of the scene before: how long such steps take
    int cpu = -1;                             // of the loop; below 0: any
  };
  // What to bake is made in the job's thread, since that may take long as well; it may throw Error.
  using MakeScene = std::function<Scene(Progress&)>;

  BakeJob(std::string title, std::optional<std::string> id, Options options, MakeScene make);
  ~BakeJob();  // cancels, and waits
  BakeJob(const BakeJob&) = delete;
  BakeJob& operator=(const BakeJob&) = delete;

  const std::string& title() const { return title_; }
  void cancel() { progress_.cancel(); }
  JobStatus status() const;
  // The scene of a job that is done; once.
  std::unique_ptr<OpenScene> take() { return std::move(scene_); }

 private:
  void run(const MakeScene& make);
  void bake(const MakeScene& make);
  void set_plan(const std::vector<BakeStepReport>& plan);
  void hear(const ProgressEvent& event);
  std::optional<double> seconds_left() const;
  void finish(JobStatus::State state, const std::string& error = "");

  std::string title_;
  std::optional<std::string> id_;
  Options options_;
  Progress progress_;
  mutable std::mutex mutex_;  // of what follows
  JobStatus status_;
  std::vector<std::vector<std::size_t>> needs_;  // of the steps
  Timer timer_;
  std::unique_ptr<OpenScene> scene_;  // written before the state says done, then not touched here
  std::jthread thread_;
};

}  // namespace pliant::serve
