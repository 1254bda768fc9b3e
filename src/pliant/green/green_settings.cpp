// SPDX-License-Identifier: MIT
#include "pliant/green/green_settings.hpp"

#include "pliant/base/text.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

using table::Reader;
using table::Table;
using table::Value;
using table::Words;

namespace {

Table<Linearity> linearity_table() {
  using Beyond = Linearity::Beyond;
  Table<Linearity> t("Where small deformations end.");
  t.option(
      {.name = "beyond",
       .description = "Whether the body stays as it was beyond one of the limits, or goes on "
                      "and the status says so, or the rotations of its parts are taken out "
                      "of their strains, so that only the limit of strain counts: each node "
                      "then moves for itself, which a step takes longer for."},
      Words<Beyond>{
          {"blocked", Beyond::blocked}, {"warned", Beyond::warned}, {"warped", Beyond::warped}},
      &Linearity::beyond);
  t.key({.name = "strain",
         .least = 0,
         .above = true,
         .description = "Largest principal strain, pulled or pressed."},
        &Linearity::strain);
  t.key({.name = "stretch",
         .least = 0,
         .above = true,
         .description = "How far a control element may be from where the average motion of all "
                        "would put it, over the body's size."},
        &Linearity::stretch);
  t.key({.name = "angle",
         .unit = "deg",
         .least = 0,
         .most = 180,
         .above = true,
         .description = "How far a control element may be turned against the average rotation."},
        &Linearity::angle);
  return t;
}

Table<ControlStart> start_table() {
  Table<ControlStart> t(
      "Where a control element is at the start, by a motion from rest about its centre.");
  t.key({.name = "translation", .unit = "m", .description = "How far its centre is moved."},
        &ControlStart::translation);
  t.key({.name = "rotation", .description = "How it is turned."}, &ControlStart::rotation);
  t.key({.name = "scale",
         .description = "Factors of its size along the body's axes, before it is turned."},
        &ControlStart::scale);
  t.check([](const Value& v, ControlStart& start, Reader& r) {
    if ((start.scale.array() > 0).all()) return;
    const Reader::Step step(r, "scale");
    r.fail(source_of(v, "scale"), "a control element cannot be flat or inside out", "",
           "three factors > 0");
  });
  return t;
}

}  // namespace

const Table<GreenSpec>& green_spec_table() {
  static const Table<GreenSpec> all = [] {
    Table<GreenSpec> t(
        "Small deformations without inertia, from solutions made beforehand: for each way in which "
        "a control element can move, for gravity, and for forces on the surface.");
    t.key({.name = "touch",
           .least = 0,
           .most = 200,
           .description = "Points of the surface, spread evenly, whose responses to forces answer "
                          "those of hands and contacts anywhere."},
          &GreenSpec::touch);
    t.table({.name = "linearity", .description = "Where small deformations end."},
            &GreenSpec::linearity, linearity_table());
    return t;
  }();
  return all;
}

const Table<ControlSettings>& control_settings_table() {
  static const Table<ControlSettings> all = [] {
    Table<ControlSettings> t("A control element.");
    t.key({.name = "name",
           .type = KeyType::name,
           .required = true,
           .description = "What it is called."},
          &ControlSettings::name);
    t.option({.name = "state",
              .description = "Whether it stays as it is at the start, goes where it is told, or "
                             "moves by what acts on it."},
             Words<ControlState>{{"held", ControlState::held},
                                 {"driven", ControlState::driven},
                                 {"free", ControlState::free}},
             &ControlSettings::state);
    t.table({.name = "start", .description = "Where it is at the start."}, &ControlSettings::start,
            start_table());
    t.check([](const Value& v, ControlSettings& c, Reader& r) {
      const auto& object = std::get<table::Object>(v.data);
      const auto start = object.find("start");
      const ControlStart rest;
      const bool moved = c.start.translation != rest.translation ||
                         !c.start.rotation.isApprox(rest.rotation) || c.start.scale != rest.scale;
      if (c.state != ControlState::free || start == object.end() || !moved) return;
      r.fail(start->second.key, "a free control element has no start: it moves by what acts on it");
    });
    return t;
  }();
  return all;
}

const Table<GreenSettings>& green_settings_table() {
  static const Table<GreenSettings> all = [] {
    Table<GreenSettings> t("Small deformations from solutions made beforehand.");
    t.table({.name = "linearity", .description = "Where small deformations end."},
            &GreenSettings::linearity, linearity_table());
    t.tables({.name = "controls", .description = "Its control elements."}, &GreenSettings::controls,
             control_settings_table());
    return t;
  }();
  return all;
}

GreenSettings read_green_settings(const Value& value) {
  GreenSettings settings;
  Reader reader;
  green_settings_table().read(value, settings, reader);
  return settings;
}

std::string GreenSpec::words() const {
  const char* beyond = linearity.beyond == Linearity::Beyond::blocked ? "blocked"
                       : warped()                                     ? "warped, warned"
                                                                      : "warned";
  return "green, forces by " + text(touch) + " points, " + beyond + " beyond a strain of " +
         text(linearity.strain);
}

}  // namespace pliant
