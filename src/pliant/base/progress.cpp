// SPDX-License-Identifier: MIT
#include "pliant/base/progress.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr double report_interval = 0.05;               // s
constexpr double shortest_basis_of_an_estimate = 0.5;  // s

}  // namespace

void Progress::begin(std::string step, std::int64_t total) {
  throw_if_cancelled();
  {
    const std::lock_guard lock(mutex_);
    step_ = std::move(step);
    total_ = std::max<std::int64_t>(total, 1);
    done_ = 0;
    last_report_ = 0.0;
    timer_.restart();
  }
  report(ProgressEvent::Kind::begin);
}

void Progress::advance(std::int64_t parts) {
  throw_if_cancelled();
  done_.fetch_add(parts, std::memory_order_relaxed);
  if (!sink_) return;
  const double now = timer_.seconds();
  double last = last_report_.load(std::memory_order_relaxed);
  if (now - last < report_interval || !last_report_.compare_exchange_strong(last, now)) return;
  report(ProgressEvent::Kind::advance);
}

void Progress::end() {
  report(ProgressEvent::Kind::end);
}

void Progress::relay(const std::string& step, ProgressEvent event) {
  if (!sink_) return;
  event.step = event.step.empty() ? step : step + ": " + event.step;
  const std::lock_guard lock(mutex_);
  sink_(event);
}

void Progress::throw_if_cancelled() const {
  if (cancelled()) throw Cancelled();
}

Progress& Progress::none() {
  static Progress nobody;
  return nobody;
}

void Progress::report(ProgressEvent::Kind kind) {
  if (!sink_) return;
  const std::lock_guard lock(mutex_);
  const double seconds = timer_.seconds();
  double fraction = std::clamp(static_cast<double>(done_) / static_cast<double>(total_), 0.0, 1.0);
  if (kind == ProgressEvent::Kind::end) fraction = 1.0;
  double left = -1.0;
  if (fraction > 0.0 && seconds > shortest_basis_of_an_estimate) {
    left = seconds * (1.0 - fraction) / fraction;
  }
  sink_({kind, step_, fraction, seconds, left});
}

}  // namespace pliant
