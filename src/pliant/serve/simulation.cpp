// SPDX-License-Identifier: MIT
#include "pliant/serve/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "pliant/haptics/real_time.hpp"

namespace pliant::serve {
namespace {

constexpr std::size_t waiting_cycles = 8192;
constexpr std::int64_t slow_step = 8'000'000;  // ns: each is worth a picture

}  // namespace

Simulation::Simulation(World world, bool real_time, int cpu)
    : world_(std::move(world)),
      real_time_(real_time),
      cpu_(cpu),
      loop_(std::llround(1e9 * world_.dt())),
      cycles_(waiting_cycles),
      recent_(static_cast<std::size_t>(std::max(1.0, std::round(1 / world_.dt())))),
      sorted_(recent_.size()) {}

Simulation::~Simulation() {
  stop();
}

void Simulation::record(const std::filesystem::path& path) {
  recorder_ = std::make_unique<CycleRecorder>(path, world_);
  world_.set_log(recorder_.get());
}

void Simulation::start() {
  thread_ = std::jthread([this] {
    std::optional<RealTimeScope> scope;
    if (real_time_) {
      scope.emplace(world_.memory(), cpu_);
      without_fifo_ = !scope->fifo();
      unlocked_ = !scope->memory_locked();
    }
    loop_.run([this](const Cycle&) noexcept {
      const std::int64_t begin = MonotonicClock::now();
      const StepStatus status = world_.step();
      const std::int64_t took = MonotonicClock::now() - begin;
      if (took > slow_step) world_.publish();
      cycles_.push({took, status, world_.data().fault});
      if (recorder_) recorder_->end_cycle(1e-3 * static_cast<double>(took));
    });
  });
}

void Simulation::stop() {
  loop_.stop();
  if (thread_.joinable()) thread_.join();
}

void Simulation::give_up() noexcept {
  loop_.stop();
  world_.give_up();
}

std::string Simulation::missing_rights() const {
  if (!without_fifo_ && !unlocked_) return "";
  return std::string("the loop runs without ") + (without_fifo_ ? "real-time priority" : "") +
         (without_fifo_ && unlocked_ ? " and " : "") + (unlocked_ ? "locked memory" : "") +
         ": `pliant doctor` says how to allow it";
}

CycleFigures Simulation::figures() {
  CycleFigures figures;
  CycleRecord cycle;
  double sum = 0;
  int count = 0;
  while (cycles_.pop(cycle)) {
    const auto us = static_cast<float>(static_cast<double>(cycle.ns) / 1000);
    recent_[next_] = us;
    next_ = (next_ + 1) % recent_.size();
    filled_ = std::max(filled_, next_ == 0 ? recent_.size() : next_);
    histogram_.add(us);
    sum += us;
    ++count;
    figures.peak = std::max(figures.peak, us);
    if (cycle.status == StepStatus::ok) continue;
    figures.status |= static_cast<std::uint32_t>(cycle.status);
    figures.fault_body = cycle.fault.body;
    figures.fault = static_cast<std::uint32_t>(cycle.fault.status);
  }
  if (count > 0) figures.mean = static_cast<float>(sum / count);
  figures.overruns = static_cast<std::uint32_t>(loop_.overruns());
  if (filled_ == 0) return figures;
  const auto begin = sorted_.begin();
  const auto end = std::copy_n(recent_.begin(), filled_, begin);
  const auto quantile = [&](double p) {
    const auto at = begin + static_cast<std::ptrdiff_t>(p * static_cast<double>(filled_ - 1));
    std::nth_element(begin, at, end);
    return *at;
  };
  figures.p50 = quantile(0.5);
  figures.p99 = quantile(0.99);
  figures.max = *std::max_element(begin, end);
  return figures;
}

}  // namespace pliant::serve
