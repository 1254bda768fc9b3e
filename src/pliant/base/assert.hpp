// SPDX-License-Identifier: MIT
// PLIANT_ASSERT(condition, "why"): a programmer's mistake, checked in release builds too.
// On failure the handler is called; the default one aborts with the text on standard error.
// A handler may throw (tests do); if it returns, the process aborts.
#pragma once

namespace pliant {

using AssertHandler = void (*)(const char* condition, const char* why, const char* file, int line);

// Returns the handler that was set before. nullptr restores the default.
AssertHandler set_assert_handler(AssertHandler handler);

[[noreturn]] void assert_failed(const char* condition, const char* why, const char* file, int line);

}  // namespace pliant

#define PLIANT_ASSERT(condition, why) \
  ((condition) ? void(0) : ::pliant::assert_failed(#condition, why, __FILE__, __LINE__))
