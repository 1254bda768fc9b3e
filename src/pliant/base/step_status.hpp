// SPDX-License-Identifier: MIT
// What a real-time step has to say: bits that may come together. No step throws or prints.
#pragma once

#include <cstdint>

namespace pliant {

enum class StepStatus : std::uint32_t {
  ok = 0,
  not_finite = 1,      // a NaN or an infinity: the state was put back to the last good one
  not_converged = 2,   // an implicit step stopped at its limit of iterations
  not_definite = 4,    // a factorisation failed: the step fell back to a safer one
  limited = 8,         // an acceleration or a displacement was cut to its limit
  unstable_step = 16,  // the time step is above the critical one, or not positive: no step was made
  failed = 32,         // the step could not be made (out of memory): the state is as before
  late = 64,           // a worker was not done in time: its last state is held
  // Small deformations end here; with `limited`, the state is as before.
  beyond_strain = 128,
  beyond_stretch = 256,
  beyond_angle = 512,
  beyond_load = 1024,  // more acts than the bake has answers for
};

constexpr StepStatus operator|(StepStatus a, StepStatus b) {
  return static_cast<StepStatus>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr StepStatus& operator|=(StepStatus& a, StepStatus b) {
  return a = a | b;
}
constexpr bool has(StepStatus status, StepStatus bit) {
  return (static_cast<std::uint32_t>(status) & static_cast<std::uint32_t>(bit)) != 0;
}

}  // namespace pliant
