// SPDX-License-Identifier: MIT
#include "pliant/base/assert.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace pliant {
namespace {

std::atomic<AssertHandler> current{nullptr};

}  // namespace

AssertHandler set_assert_handler(AssertHandler handler) {
  return current.exchange(handler);
}

void assert_failed(const char* condition, const char* why, const char* file, int line) {
  if (const AssertHandler handler = current.load()) handler(condition, why, file, line);
  std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", file, line, condition, why);
  std::abort();
}

}  // namespace pliant
