// SPDX-License-Identifier: MIT
// Progress of long offline work. The library reports; whoever called it decides what to show: a bar
// on a terminal, lines in a log, messages to a browser. The same object carries the wish to stop.
//
//   void bake(..., Progress& progress) {
//     progress.begin("modes", n);
//     for (...) { ...; progress.advance(); }   // throws Cancelled once stop was asked for
//     progress.end();
//   }
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "pliant/base/timer.hpp"

namespace pliant {

struct ProgressEvent {
  enum class Kind { begin, advance, end };
  Kind kind;
  std::string step;     // name given to begin()
  double fraction;      // 0..1
  double seconds;       // since begin()
  double seconds_left;  // estimate; negative while there is none
};

class Progress {
 public:
  using Sink = std::function<void(const ProgressEvent&)>;

  // Without a sink nothing is reported; cancellation works all the same.
  Progress() = default;
  explicit Progress(Sink sink) : sink_(std::move(sink)) {}
  // Of one of several steps that run at the same time: it stops when `whole`, which outlives it,
  // is cancelled.
  Progress(Sink sink, const Progress& whole) : sink_(std::move(sink)), whole_(&whole) {}

  // A step of `total` equal parts. Steps follow one another; they do not nest.
  void begin(std::string step, std::int64_t total = 1);
  // May be called from several threads. Throws Cancelled once cancel() was called.
  // The sink hears of it at most 20 times a second.
  void advance(std::int64_t parts = 1);
  void end();
  // Passes on what a part, which runs beside others, reports of itself, under the name `step`.
  void relay(const std::string& step, ProgressEvent event);

  // From any thread or a signal handler.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed) || (whole_ && whole_->cancelled());
  }
  void throw_if_cancelled() const;

  // For callers who do not care: reports to nobody.
  static Progress& none();

 private:
  void report(ProgressEvent::Kind kind);

  Sink sink_;
  const Progress* whole_ = nullptr;
  std::mutex mutex_;  // guards the sink and the step's name
  std::string step_;
  std::int64_t total_ = 1;
  std::atomic<std::int64_t> done_{0};
  std::atomic<double> last_report_{0.0};
  std::atomic<bool> cancelled_{false};
  Timer timer_;
};

}  // namespace pliant
