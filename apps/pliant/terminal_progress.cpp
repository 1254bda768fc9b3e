// SPDX-License-Identifier: MIT
#include "terminal_progress.hpp"

#include <csignal>

#include <fmt/core.h>
#include <unistd.h>

namespace pliant::app {
namespace {

Progress* interruptible = nullptr;

extern "C" void on_interrupt(int) {
  if (interruptible) interruptible->cancel();
  std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C ends the process
}

constexpr int bar_width = 30;

void draw_bar(const ProgressEvent& event) {
  const int filled = static_cast<int>(event.fraction * bar_width + 0.5);
  std::string bar(static_cast<std::size_t>(filled), '=');
  bar.resize(bar_width, ' ');
  const std::string left =
      event.kind == ProgressEvent::Kind::end ? fmt::format("{:.1f} s", event.seconds)
      : event.seconds_left < 0               ? std::string()
                                             : fmt::format("{:.0f} s left", event.seconds_left);
  fmt::print(stderr, "\r\x1b[K{:<24} [{}] {:3.0f} %  {}", event.step, bar, 100 * event.fraction,
             left);
  if (event.kind == ProgressEvent::Kind::end) fmt::print(stderr, "\n");
  std::fflush(stderr);
}

void print_line(const ProgressEvent& event) {
  if (event.kind == ProgressEvent::Kind::begin) fmt::print(stderr, "{} ...\n", event.step);
  if (event.kind == ProgressEvent::Kind::end) {
    fmt::print(stderr, "{} done in {:.1f} s\n", event.step, event.seconds);
  }
}

}  // namespace

TerminalProgress::TerminalProgress() : progress_(::isatty(STDERR_FILENO) ? draw_bar : print_line) {
  interruptible = &progress_;
  std::signal(SIGINT, on_interrupt);
}

TerminalProgress::~TerminalProgress() {
  std::signal(SIGINT, SIG_DFL);
  interruptible = nullptr;
}

}  // namespace pliant::app
