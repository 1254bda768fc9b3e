// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

namespace pliant::test {

// Until the condition holds; false: it did not for as long as no busy machine takes.
template <class Condition>
bool wait_for(Condition&& condition) {
  using namespace std::chrono;
  const auto end = steady_clock::now() + seconds(20);
  while (!condition()) {
    if (steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

}  // namespace pliant::test
