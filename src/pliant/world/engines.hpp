// SPDX-License-Identifier: MIT
// The engines of this program. A new one is a line in engines.cpp, or in runtime_engines.cpp if its
// online half needs Eigen alone.
#pragma once

#include "pliant/world/engine.hpp"

namespace pliant {

// Those of pliant_runtime.
EngineList runtime_engines() noexcept;
// All.
EngineList engines() noexcept;
// Throws Error, with the names, if there is none of this name.
const EngineFacts& facts_of_engine(std::string_view name);

}  // namespace pliant
