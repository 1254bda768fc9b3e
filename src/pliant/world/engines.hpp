// SPDX-License-Identifier: MIT
// The engines of this program: those of pliant_runtime, and those that need more. A new one is a
// line in runtime_engines.cpp, or in engines.cpp.
#pragma once

#include "pliant/world/runtime_engines.hpp"

namespace pliant {

EngineList engines() noexcept;
// Throws Error, with the names, if there is none of this name.
const EngineFacts& facts_of_engine(std::string_view name);

}  // namespace pliant
