// SPDX-License-Identifier: MIT
#include "pliant/bake/bake_graph.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

BakeStepReport report_of(const BakeStep& step, const std::string& key, const TensorFile& file,
                         bool cached) {
  BakeStepReport report{step.name, key, step.needs, step.figures, cached};
  const auto seconds = file.metadata().find("seconds");
  if (seconds != file.metadata().end()) report.seconds = std::atof(seconds->second.c_str());
  for (const auto& [name, tensor] : file.tensors()) report.bytes += tensor.bytes.size();
  return report;
}

// The steps of one bake, taken by workers as their needs are met.
class Schedule {
 public:
  Schedule(const std::vector<BakeStep>& steps, const std::vector<std::string>& keys,
           const StepCache& cache, Progress& progress, Figures figures)
      : steps_(steps), keys_(keys), cache_(cache), whole_(progress), stop_({}, progress) {
    files_.resize(steps.size());
    reports_.resize(steps.size());
    taken_.resize(steps.size());
    for (std::size_t s = 0; s < steps.size() && figures == Figures::if_known; ++s) {
      if (!steps[s].figures) continue;
      if ((files_[s] = cache.find(keys[s]))) {
        reports_[s] = report_of(steps[s], keys[s], *files_[s], true);
      }
      taken_[s] = true;
      ++done_;
    }
  }

  BakeGraph::Result run() {
    const int workers =
        std::clamp(threads(), 1, static_cast<int>(std::max<std::size_t>(1, steps_.size())));
    {
      std::vector<std::jthread> others;
      for (int w = 1; w < workers; ++w) others.emplace_back([this] { work(); });
      work();
    }
    if (error_) std::rethrow_exception(error_);
    BakeGraph::Result result;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      if (files_[s]) result.report.push_back(std::move(reports_[s]));
    }
    result.files = std::move(files_);
    return result;
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (!error_ && done_ < steps_.size()) {
      const std::optional<std::size_t> next = ready();
      if (!next) {
        changed_.wait(lock);
        continue;
      }
      taken_[*next] = true;
      lock.unlock();
      std::exception_ptr error;
      try {
        make(*next);
      } catch (const Cancelled&) {
        error = std::current_exception();
      } catch (const Error& e) {
        // Which step, if the error does not point to a file.
        error = e.place().file.empty()
                    ? std::make_exception_ptr(Error({"", 0, steps_[*next].name}, e.what()))
                    : std::current_exception();
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error && !error_) {
        error_ = error;
        stop_.cancel();
      }
      ++done_;
      changed_.notify_all();
    }
  }

  std::optional<std::size_t> ready() const {
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      if (!taken_[s] && std::all_of(steps_[s].needs.begin(), steps_[s].needs.end(),
                                    [&](std::size_t n) { return files_[n].has_value(); })) {
        return s;
      }
    }
    return std::nullopt;
  }

  void make(std::size_t s) {
    const BakeStep& step = steps_[s];
    // The parts that a step reports of itself are shown under the step's own name.
    Progress progress([&](const ProgressEvent& event) { whole_.relay(step.name, event); }, stop_);
    std::vector<const TensorFile*> needs;
    {
      const std::lock_guard lock(mutex_);
      for (const std::size_t n : step.needs) needs.push_back(&*files_[n]);
    }
    StepCache::Entry entry = cache_.find_or_make(
        keys_[s], [&](TensorWriter& out) { step.make(needs, out, progress); }, progress);
    BakeStepReport report = report_of(step, keys_[s], entry.file, !entry.made);
    const std::lock_guard lock(mutex_);
    files_[s] = std::move(entry.file);
    reports_[s] = std::move(report);
  }

  const std::vector<BakeStep>& steps_;
  const std::vector<std::string>& keys_;
  const StepCache& cache_;
  Progress& whole_;
  Progress stop_;  // cancelled with the whole, or when a step has failed
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::optional<TensorFile>> files_;
  std::vector<BakeStepReport> reports_;
  std::vector<bool> taken_;
  std::size_t done_ = 0;
  std::exception_ptr error_;
};

}  // namespace

std::size_t BakeGraph::add(BakeStep step) {
  Hasher hasher;
  hasher.add(step.kind).add(step.version).add(step.inputs);
  for (const std::size_t n : step.needs) {
    PLIANT_ASSERT(n < steps_.size(), "a step needs steps that were added before it");
    hasher.add(keys_[n]);
  }
  PLIANT_ASSERT(step.figures || steps_.empty() || !steps_.back().figures, "figures come last");
  keys_.push_back(hasher.hex());
  steps_.push_back(std::move(step));
  return steps_.size() - 1;
}

std::vector<BakeStepReport> BakeGraph::plan(const StepCache& cache, Figures figures) const {
  std::vector<BakeStepReport> reports;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    if (const auto file = cache.find(keys_[s])) {
      reports.push_back(report_of(steps_[s], keys_[s], *file, true));
    } else if (!steps_[s].figures || figures == Figures::make) {
      reports.push_back({steps_[s].name, keys_[s], steps_[s].needs, steps_[s].figures});
    }
  }
  return reports;
}

BakeGraph::Result BakeGraph::bake(const StepCache& cache, Progress& progress,
                                  Figures figures) const {
  return Schedule(steps_, keys_, cache, progress, figures).run();
}

}  // namespace pliant
