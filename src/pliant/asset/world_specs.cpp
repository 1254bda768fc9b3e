// SPDX-License-Identifier: MIT
#include "pliant/asset/world_specs.hpp"

namespace pliant {

using table::Reader;
using table::Table;
using table::Value;

const Table<Pose>& pose_table() {
  static const Table<Pose> all = [] {
    Table<Pose> t("Where the body stands: its mesh is turned about its origin, then moved.");
    t.key({.name = "position", .unit = "m", .description = "Where the mesh's origin goes."},
          &Pose::position);
    t.key({.name = "rotation", .description = "How it is turned."}, &Pose::rotation);
    return t;
  }();
  return all;
}

const Table<WindSpec>& wind_table() {
  static const Table<WindSpec> all = [] {
    Table<WindSpec> t("Wind on the surfaces of all bodies.");
    t.key(
        {.name = "velocity", .unit = "m/s", .required = true, .description = "Where and how fast."},
        &WindSpec::velocity);
    t.key({.name = "drag", .least = 0, .description = "Coefficient of the pressure on a surface."},
          &WindSpec::drag);
    t.key({.name = "gust",
           .least = 0,
           .most = 10,
           .description = "How much the velocity swings, as a part of it."},
          &WindSpec::gust);
    t.key({.name = "gust_period",
           .unit = "s",
           .least = 0,
           .above = true,
           .description = "Time from gust to gust."},
          &WindSpec::gust_period);
    return t;
  }();
  return all;
}

const Table<HandleSpec>& handle_table() {
  static const Table<HandleSpec> all = [] {
    Table<HandleSpec> t("The hand that moves a body.");
    t.key({.name = "body",
           .type = KeyType::name,
           .required = true,
           .description = "The name of the [body.NAME] that it moves: rigid and kinematic."},
          &HandleSpec::body);
    t.later("coupling");
    return t;
  }();
  return all;
}

const Table<DeviceSpec>& device_table() {
  static const Table<DeviceSpec> all = [] {
    Table<DeviceSpec> t("Where the motion of the handle comes from.");
    t.alternative("none", Table<NoDevice>("The handle rests."));
    t.alternative("viewer", Table<ViewerDevice>("The pointer in the browser."));
    t.later_kind("script");
    return t;
  }();
  return all;
}

const Table<CameraSpec>& camera_table() {
  static const Table<CameraSpec> all = [] {
    Table<CameraSpec> t("From where the scene is looked at first.");
    t.key({.name = "position",
           .unit = "m",
           .default_text = "what shows all bodies",
           .description = "Where the eye is."},
          &CameraSpec::position);
    t.key({.name = "target",
           .unit = "m",
           .default_text = "the middle of all bodies",
           .description = "What it looks at."},
          &CameraSpec::target);
    t.key({.name = "up", .description = "What is up in the picture."}, &CameraSpec::up);
    t.key({.name = "field_of_view",
           .unit = "deg",
           .least = 1,
           .most = 170,
           .description = "Angle from the lower to the upper edge of the picture."},
          &CameraSpec::field_of_view);
    t.check([](const Value& v, CameraSpec& camera, Reader& r) {
      if (!(camera.up.stableNorm() > 0)) {
        const Reader::Step step(r, "up");
        r.fail(source_of(v, "up"), "wrong value", "[0, 0, 0]", "a direction");
      }
      if (camera.position && camera.target && *camera.position == *camera.target) {
        const Reader::Step step(r, "target");
        r.fail(source_of(v, "target"), "the camera looks at its own position");
      }
    });
    return t;
  }();
  return all;
}

const Table<ColourSpec>& colour_table() {
  static const Table<ColourSpec> all = [] {
    Table<ColourSpec> t("Colours of the picture.");
    t.key({.name = "background", .description = "Behind everything."}, &ColourSpec::background);
    t.key({.name = "force", .description = "Of arrows of force."}, &ColourSpec::force);
    t.key({.name = "contact", .description = "Of contacts and their forces."},
          &ColourSpec::contact);
    t.key({.name = "fixed", .description = "Of held nodes."}, &ColourSpec::fixed);
    return t;
  }();
  return all;
}

}  // namespace pliant
