// SPDX-License-Identifier: MIT
// What moves a body: the specs of all engines, each from its own folder. A new engine is a type
// here and an alternative in engine_spec.cpp.
//
// A spec says the name of its `engine`, whether it `needs_volume` (solid elements), and may list
// the `input_files()` whose content makes the body what it is.
#pragma once

#include <filesystem>
#include <variant>
#include <vector>

#include "pliant/full/full_settings.hpp"
#include "pliant/reduced/reduced_spec.hpp"
#include "pliant/rigid/rigid_settings.hpp"

namespace pliant {

using FullSpec = FullSettings;
using RigidSpec = RigidSettings;
using EngineSpec = std::variant<ReducedSpec, FullSpec, RigidSpec>;

const table::Table<EngineSpec>& engine_table();

inline const char* name_of(const EngineSpec& spec) {
  return std::visit([](const auto& s) { return s.engine; }, spec);
}
inline bool needs_volume(const EngineSpec& spec) {
  return std::visit([](const auto& s) { return s.needs_volume; }, spec);
}
inline std::vector<std::filesystem::path> input_files(const EngineSpec& spec) {
  return std::visit(
      [](const auto& s) -> std::vector<std::filesystem::path> {
        if constexpr (requires { s.input_files(); }) return s.input_files();
        return {};
      },
      spec);
}

}  // namespace pliant
