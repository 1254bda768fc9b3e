// SPDX-License-Identifier: MIT
// Shows the library's progress on standard error: a bar on a terminal, a line a step otherwise.
// Ctrl-C cancels the work at its next step instead of killing the process.
#pragma once

#include "pliant/base/progress.hpp"

namespace pliant::app {

class TerminalProgress {
 public:
  TerminalProgress();
  ~TerminalProgress();
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  operator Progress&() { return progress_; }

 private:
  Progress progress_;
};

}  // namespace pliant::app
