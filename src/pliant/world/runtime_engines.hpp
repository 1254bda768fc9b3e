// SPDX-License-Identifier: MIT
// The engines of pliant_runtime: those whose online half needs Eigen alone.
#pragma once

#include "pliant/world/engine.hpp"

namespace pliant {

EngineList runtime_engines() noexcept;

}  // namespace pliant
