// SPDX-License-Identifier: MIT
#include "pliant/spring/spring_settings.hpp"

#include "pliant/base/text.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

using table::Reader;
using table::Table;

const Table<SpringSettings>& spring_settings_table() {
  static const Table<SpringSettings> all = [] {
    Table<SpringSettings> t("It keeps its shape and swings on a spring, along its own x axis.");
    t.key({.name = "stiffness",
           .unit = "N/m",
           .least = 0,
           .above = true,
           .description = "Of the spring."},
          &SpringSettings::stiffness);
    t.key({.name = "mass", .unit = "kg", .least = 0, .above = true, .description = "Of the body."},
          &SpringSettings::mass);
    t.key({.name = "offset",
           .unit = "m",
           .description = "How far from the rest of the spring it is let go."},
          &SpringSettings::offset);
    return t;
  }();
  return all;
}

SpringSettings read_spring_settings(const table::Value& value) {
  SpringSettings settings;
  Reader reader;
  spring_settings_table().read(value, settings, reader);
  return settings;
}

std::string SpringSettings::words() const {
  return "spring, " + text(mass) + " kg on " + text(stiffness) + " N/m";
}

}  // namespace pliant
