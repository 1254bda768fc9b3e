// SPDX-License-Identifier: MIT
// What a user may set of the full engine: its integrator and its damping, and the keys for it.
#pragma once

#include <string>
#include <variant>

#include "pliant/fem/damping.hpp"
#include "pliant/full/implicit_step.hpp"

namespace pliant {

namespace table {
template <class T>
class Table;
}

struct ExplicitSpec {
  double safety = 0.9;  // of the critical step that is kept
};
struct ConsistentSpec {
  int levels = 8;  // steps 1/rate, 1/(2 rate), .. that are factored beforehand
};
using FullIntegrator = std::variant<ExplicitSpec, ConsistentSpec, ImplicitOptions>;
struct FullSettings {
  static constexpr const char* engine = "full";
  static constexpr bool needs_volume = true;

  // What an implicit step takes, about, on two cores of a desktop machine: seconds * nodes^power.
  // Of a solid block; docs/benchmarks.md. Explicit steps solve nothing: how many they take follows
  // from the stiffness and the cells.
  static constexpr double step_seconds = 6e-7, step_power = 1.5;
  bool cost_known() const { return std::holds_alternative<ImplicitOptions>(integrator); }

  FullIntegrator integrator = ImplicitOptions{};
  Damping damping;

  // What suits a mesh that was just brought along.
  static FullSettings for_mesh();
  static constexpr const char* text_for_mesh = "every node, exact and slow";
  std::string words() const;
};

const table::Table<FullSettings>& full_settings_table();

}  // namespace pliant
