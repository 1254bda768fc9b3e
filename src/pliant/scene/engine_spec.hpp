// SPDX-License-Identifier: MIT
// What moves a body: the specs of all engines, each from its own folder. A new engine is a type
// here and an alternative in engine_spec.cpp.
//
// A spec says the name of its `engine`, whether it `needs_volume` (solid elements), and itself in
// `words()`. It may be of a body that has no elements and yet a material and held nodes
// (`elastic_surface`), which may be made of elements that do not stay (`of_elements()`), list the
// `input_files()` whose content makes the body what it is, make a basis from a sketch
// (`take_sketch`), have control elements (`takes_controls`) or an accessible boundary
// (`takes_loads`), suit any mesh (`for_mesh`, and `text_for_mesh` to choose it by), and say what a step costs where that grows with the
// mesh (`step_seconds`, `step_power`, of which `cost_known()` may be false).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "pliant/full/full_settings.hpp"
#include "pliant/green/green_settings.hpp"
#include "pliant/green/surface_settings.hpp"
#include "pliant/reduced/reduced_spec.hpp"
#include "pliant/rigid/rigid_settings.hpp"
#include "pliant/vademecum/vademecum_settings.hpp"

namespace pliant {

using FullSpec = FullSettings;
using RigidSpec = RigidSettings;
using GreenSurfaceSpec = GreenSurfaceSettings;
using EngineSpec =
    std::variant<ReducedSpec, FullSpec, RigidSpec, GreenSpec, GreenSurfaceSpec, VademecumSpec>;

const table::Table<EngineSpec>& engine_table();

inline const char* name_of(const EngineSpec& spec) {
  return std::visit([](const auto& s) { return s.engine; }, spec);
}
// "reduced, 15 dimensions from 20 modes and their derivatives, undamped"
inline std::string words_of(const EngineSpec& spec) {
  return std::visit([](const auto& s) { return s.words(); }, spec);
}
// The basis of its shapes becomes that of a sketch; false: it has none.
inline bool take_sketch(EngineSpec& spec, const std::filesystem::path& file, int shapes) {
  return std::visit(
      [&](auto& s) {
        if constexpr (requires { s.take_sketch(file, shapes); }) {
          s.take_sketch(file, shapes);
          return true;
        } else {
          return false;
        }
      },
      spec);
}
// Engines that suit any mesh, the usual one first.
std::vector<EngineSpec> specs_for_mesh();
// A few words on one of them, to choose by.
inline std::string text_for_mesh(const EngineSpec& spec) {
  return std::visit(
      [](const auto& s) -> std::string {
        if constexpr (requires { s.text_for_mesh; }) return s.text_for_mesh;
        return {};
      },
      spec);
}
// A step takes about seconds * nodes^power.
struct StepCost {
  std::string engine;
  double seconds, power;

  double of(double nodes) const;
};
// Of the engines that suit any mesh and whose steps take longer the finer it is.
std::vector<StepCost> step_costs();
// Of this body's engine; none: its steps do not grow with the mesh, or nothing is known of them.
std::optional<StepCost> step_cost(const EngineSpec& spec);
// What steps of `cost` seconds may take of their time: a pull takes more iterations than rest, and
// the browser wants a core too.
inline constexpr double most_of_a_step = 0.2;
// The fastest whole part of `rate` [Hz] at which they take no more.
double rate_held(double cost, double rate);
inline bool needs_volume(const EngineSpec& spec) {
  return std::visit([](const auto& s) { return s.needs_volume; }, spec);
}
// A body of elastic material without elements.
inline bool elastic_surface(const EngineSpec& spec) {
  return std::visit(
      [](const auto& s) {
        return requires {
          s.elastic_surface;
        };
      },
      spec);
}
// Elements are needed to make the body what it is, and not while it runs.
inline bool of_elements(const EngineSpec& spec) {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.of_elements(); }) return s.of_elements();
        return false;
      },
      spec);
}
inline bool takes_controls(const EngineSpec& spec) {
  return std::visit(
      [](const auto& s) {
        return requires {
          s.takes_controls;
        };
      },
      spec);
}
// It knows answers to loads on a part of the surface, the accessible boundary.
inline bool takes_loads(const EngineSpec& spec) {
  return std::visit(
      [](const auto& s) {
        return requires {
          s.takes_loads;
        };
      },
      spec);
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
