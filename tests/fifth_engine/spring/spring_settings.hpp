// SPDX-License-Identifier: MIT
// What a user may set of a mass on a spring, and the keys for it.
#pragma once

#include <string>

namespace pliant {

namespace table {
struct Value;
template <class T>
class Table;
}  // namespace table

struct SpringSettings {
  static constexpr const char* engine = "spring";
  static constexpr bool needs_volume = false;

  double stiffness = 100.0;  // k [N/m]
  double mass = 1.0;         // M [kg]
  double offset = 0.0;       // x - x0 at the start [m]

  std::string words() const;
};

const table::Table<SpringSettings>& spring_settings_table();
// Throws Error at the place of what is wrong.
SpringSettings read_spring_settings(const table::Value& value);

}  // namespace pliant
