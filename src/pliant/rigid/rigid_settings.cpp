// SPDX-License-Identifier: MIT
#include "pliant/rigid/rigid_settings.hpp"

#include "pliant/base/text.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

using table::Reader;
using table::Table;
using table::Value;
using table::Words;

namespace {

// A key of a free body that has no effect on another is a mistake.
void check_motion(const Value& value, RigidSettings& s, Reader& reader) {
  if (s.density && s.mass) {
    reader.fail(source_of(value, "mass"), "the body has a mass and a density", "",
                "one of the two");
  }
  if (s.motion == RigidMotion::free) return;
  const RigidSettings none;
  const auto refuse = [&](const char* key, bool set) {
    if (!set) return;
    reader.fail(source_of(value, key),
                std::string("the key '") + key + "' is only for motion = \"free\"");
  };
  refuse("density", s.density.has_value());
  refuse("mass", s.mass.has_value());
  refuse("damping", s.damping != none.damping);
  refuse("angular_damping", s.angular_damping != none.angular_damping);
  refuse("velocity", s.velocity != none.velocity);
  refuse("angular_velocity", s.angular_velocity != none.angular_velocity);
}

}  // namespace

const Table<RigidSettings>& rigid_settings_table() {
  static const Table<RigidSettings> table = [] {
    Table<RigidSettings> t("It keeps its shape, and stands, goes where it is told, or flies.");
    t.option({.name = "motion",
              .description = "Whether it stays where it is, goes where a script, the viewer or the "
                             "hand puts it, or flies and turns by what acts on it."},
             Words<RigidMotion>{{"fixed", RigidMotion::fixed},
                                {"kinematic", RigidMotion::kinematic},
                                {"free", RigidMotion::free}},
             &RigidSettings::motion);
    t.key({.name = "density",
           .unit = "kg/m^3",
           .least = 0,
           .above = true,
           .default_text = "1000",
           .description = "Of a free body."},
          &RigidSettings::density);
    t.key({.name = "mass",
           .unit = "kg",
           .least = 0,
           .above = true,
           .default_text = "volume times density",
           .description = "Of a free body, instead of its density."},
          &RigidSettings::mass);
    t.key({.name = "damping",
           .unit = "1/s",
           .least = 0,
           .description = "Part of a free body's velocity that is lost in a second, at first."},
          &RigidSettings::damping);
    t.key({.name = "angular_damping",
           .unit = "1/s",
           .least = 0,
           .description =
               "Part of a free body's angular momentum that is lost in a second, at first."},
          &RigidSettings::angular_damping);
    t.key({.name = "velocity",
           .unit = "m/s",
           .description = "Of a free body's centre of mass at the start, in the world."},
          &RigidSettings::velocity);
    t.key({.name = "angular_velocity",
           .unit = "rad/s",
           .description = "Of a free body at the start, in the world."},
          &RigidSettings::angular_velocity);
    t.check(check_motion);
    return t;
  }();
  return table;
}

RigidSettings read_rigid_settings(const Value& value) {
  RigidSettings settings;
  Reader reader;
  rigid_settings_table().read(value, settings, reader);
  return settings;
}

std::string RigidSettings::words() const {
  if (motion == RigidMotion::fixed) return "rigid, stays where it is";
  if (motion == RigidMotion::kinematic) return "rigid, goes where it is told";
  if (mass) return "rigid, free, " + text(*mass) + " kg";
  return "rigid, free, " + text(density.value_or(1000)) + " kg/m^3";
}

}  // namespace pliant
