// SPDX-License-Identifier: MIT
#include "pliant/serve/bake_job.hpp"

#include <algorithm>

#include "pliant/bake/bake.hpp"
#include "pliant/base/error.hpp"

namespace pliant::serve {

BakeJob::BakeJob(std::string title, std::optional<std::string> id, Options options, MakeScene make)
    : title_(std::move(title)),
      id_(std::move(id)),
      options_(std::move(options)),
      progress_([this](const ProgressEvent& event) { hear(event); }) {
  thread_ = std::jthread([this, make = std::move(make)] { run(make); });
}

BakeJob::~BakeJob() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

void BakeJob::run(const MakeScene& make) {
  try {
    bake(make);
    finish(JobStatus::State::done);
  } catch (const Cancelled&) {
    finish(JobStatus::State::cancelled);
  } catch (const std::exception& error) {  // std::bad_alloc of a mesh that is too fine included
    finish(JobStatus::State::failed, error.what());
  }
}

void BakeJob::bake(const MakeScene& make) {
  options_.files.own->make();
  Scene scene = make(progress_);
  const SceneBake bake(scene, options_.quality);
  const StepCache cache(options_.cache);
  set_plan(bake.plan(cache));
  const std::filesystem::path asset = options_.files.own->path() / "scene.pliant";
  const AssetHead head = bake.bake(cache, asset, progress_);
  progress_.throw_if_cancelled();
  auto open = std::make_unique<OpenScene>(
      asset, SceneOrigin{id_, std::move(scene), head.steps, options_.files}, options_.real_time,
      options_.cpu);
  std::filesystem::remove(asset);  // it is mapped: its bytes stay as long as somebody uses them
  const std::lock_guard lock(mutex_);
  scene_ = std::move(open);
}

void BakeJob::set_plan(const std::vector<BakeStepReport>& plan) {
  const std::lock_guard lock(mutex_);
  for (const BakeStepReport& step : plan) {
    status_.steps.push_back(
        {.name = step.name,
         .state = step.cached ? JobStep::State::cached : JobStep::State::waiting,
         .fraction = step.cached ? 1.0 : 0.0,
         .seconds = step.seconds});
    needs_.push_back(step.needs);
  }
}

// Parts of a step are reported as "step: part"; a step whose last part has ended is done, and so
// are those that a running one needed.
void BakeJob::hear(const ProgressEvent& event) {
  const std::lock_guard lock(mutex_);
  auto& steps = status_.steps;
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const JobStep& step) {
    return event.step == step.name || event.step.starts_with(step.name + ": ");
  });
  if (found == steps.end()) return;
  const bool ended = event.kind == ProgressEvent::Kind::end;
  found->state = ended ? JobStep::State::done : JobStep::State::running;
  found->fraction = event.fraction;
  found->seconds = event.seconds;
  found->seconds_left =
      event.seconds_left >= 0 ? std::optional<double>(event.seconds_left) : std::nullopt;
  for (const std::size_t n : needs_[static_cast<std::size_t>(found - steps.begin())]) {
    if (steps[n].state == JobStep::State::cached) continue;
    steps[n].state = JobStep::State::done;
    steps[n].fraction = 1;
    steps[n].seconds_left.reset();
  }
  // Of what there is to do: steps from the cache would leave no room to move in.
  double sum = 0, count = 0;
  for (const JobStep& step : steps) {
    if (step.state == JobStep::State::cached) continue;
    sum += step.fraction;
    ++count;
  }
  if (count > 0) status_.fraction = std::max(status_.fraction, sum / count);
}

void BakeJob::finish(JobStatus::State state, const std::string& error) {
  const std::lock_guard lock(mutex_);
  status_.seconds = timer_.seconds();
  status_.state = state;
  status_.error = error;
  if (state != JobStatus::State::done) return;
  status_.fraction = 1;
  for (JobStep& step : status_.steps) {
    if (step.state != JobStep::State::cached) step.state = JobStep::State::done;
    step.fraction = 1;
    step.seconds_left.reset();
  }
}

JobStatus BakeJob::status() const {
  const std::lock_guard lock(mutex_);
  JobStatus status = status_;
  if (status.state != JobStatus::State::running) return status;
  status.seconds = timer_.seconds();
  status.seconds_left = seconds_left();
  return status;
}

// Of the running step that takes longest, and of those that wait, if the scene before had them.
std::optional<double> BakeJob::seconds_left() const {
  double left = -1, waiting = 0;
  for (const JobStep& step : status_.steps) {
    if (step.state == JobStep::State::running) {
      left = std::max(left, step.seconds_left.value_or(-1));
    }
    if (step.state != JobStep::State::waiting) continue;
    const auto known = std::ranges::find(options_.before, step.name, &BakeStepReport::name);
    if (known == options_.before.end()) return std::nullopt;
    waiting += known->seconds;
  }
  return left < 0 ? std::nullopt : std::optional(left + waiting);
}

}  // namespace pliant::serve
