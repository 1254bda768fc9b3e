// SPDX-License-Identifier: MIT
// What a user may set of the full engine: its integrator and its damping, and the keys for it.
#pragma once

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
  FullIntegrator integrator = ImplicitOptions{};
  Damping damping;
};

const table::Table<FullSettings>& full_settings_table();

}  // namespace pliant
