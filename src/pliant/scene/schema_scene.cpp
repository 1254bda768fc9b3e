// SPDX-License-Identifier: MIT
#include "pliant/scene/tables.hpp"

namespace pliant::scene {
namespace {

Table<WindSpec> wind_table() {
  Table<WindSpec> t("Wind on the surfaces of all bodies.");
  t.key({.name = "velocity", .unit = "m/s", .required = true, .description = "Where and how fast."},
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
}

Table<CouplingSpec> coupling_table() {
  Table<CouplingSpec> t("Spring and damper between the device and the body that it holds.");
  const auto positive = [](const char* name, const char* unit, const char* description) {
    return KeyInfo{
        .name = name, .unit = unit, .least = 0, .above = true, .description = description};
  };
  const auto not_negative = [](const char* name, const char* unit, const char* description) {
    return KeyInfo{.name = name, .unit = unit, .least = 0, .description = description};
  };
  t.key(positive("stiffness", "N/m", "Of the spring."), &CouplingSpec::stiffness);
  t.key(not_negative("damping", "N s/m", "Of the damper."), &CouplingSpec::damping);
  t.key(positive("rotational_stiffness", "N m/rad", "Of the spring against turning."),
        &CouplingSpec::rotational_stiffness);
  t.key(not_negative("rotational_damping", "N m s/rad", "Of the damper against turning."),
        &CouplingSpec::rotational_damping);
  t.key(positive("max_force", "N", "The force at which the spring saturates."),
        &CouplingSpec::max_force);
  t.key(positive("max_torque", "N m", "The torque at which it saturates."),
        &CouplingSpec::max_torque);
  return t;
}

Table<HandleSpec> handle_table() {
  Table<HandleSpec> t("The hand that touches the scene by a body that it holds.");
  t.key({.name = "body",
         .type = KeyType::name,
         .required = true,
         .description = "The name of the [body.NAME] that it holds."},
        &HandleSpec::body);
  t.table({.name = "coupling", .description = "How the device holds it."}, &HandleSpec::coupling,
          coupling_table());
  return t;
}

Table<ScriptDevice> script_table() {
  Table<ScriptDevice> t("A trajectory that was written or recorded.");
  t.key({.name = "file",
         .required = true,
         .description = "Time and pose of the handle, as CSV or a recording."},
        &ScriptDevice::file);
  return t;
}

Table<DeviceSpec> device_table() {
  Table<DeviceSpec> t("Where the motion of the handle comes from.");
  t.alternative("none", Table<NoDevice>("The handle rests."));
  t.alternative("viewer", Table<ViewerDevice>("The pointer in the browser."));
  t.alternative("script", script_table());
  return t;
}

Table<RecorderSpec> recorder_table() {
  using Channel = RecorderSpec::Channel;
  Table<RecorderSpec> t("What is written down while the scene runs.");
  t.key({.name = "file",
         .type = KeyType::output_file,
         .default_text = "none: nothing is recorded",
         .description = "Where to: .csv, or a tensor file."},
        &RecorderSpec::file);
  t.options({.name = "channels", .description = "What of each body, beside the time."},
            Words<Channel>{{"pose", Channel::pose},
                           {"force", Channel::force},
                           {"torque", Channel::torque},
                           {"coefficients", Channel::coefficients},
                           {"energy", Channel::energy},
                           {"counters", Channel::counters}},
            &RecorderSpec::channels);
  t.key({.name = "every",
         .least = 1,
         .most = 1e6,
         .description = "Steps from one sample to the next."},
        &RecorderSpec::every);
  return t;
}

Table<CameraSpec> camera_table() {
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
}

Table<ColourSpec> colour_table() {
  Table<ColourSpec> t("Colours of the picture.");
  t.key({.name = "background", .description = "Behind everything."}, &ColourSpec::background);
  t.key({.name = "force", .description = "Of arrows of force."}, &ColourSpec::force);
  t.key({.name = "contact", .description = "Of points of contact."}, &ColourSpec::contact);
  t.key({.name = "fixed", .description = "Of held nodes."}, &ColourSpec::fixed);
  return t;
}

}  // namespace

const Table<FileHeader>& header_table() {
  static const Table<FileHeader> table = [] {
    Table<FileHeader> t("How this file itself is read.");
    t.option({.name = "units",
              .default_text = "\"m\"",
              .description = "Of the lengths in this file: of all keys whose unit is m; an "
                             "included file says its own."},
             unit_words(), &FileHeader::units);
    t.key({.name = "include",
           .default_text = "[]",
           .description = "Scene files that come before this one; what is said here overrides "
                          "what they say."},
          &FileHeader::include);
    return t;
  }();
  return table;
}

const Table<Scene>& scene_table() {
  static const Table<Scene> table = [] {
    Table<Scene> t("The scene as a whole.");
    // Read before the files are laid over each other, see read_scene.cpp; here they are known, and
    // were taken out.
    for (const auto& field : header_table().fields()) {
      t.add(
          {field.info, [](const Value&, Scene&, Reader&) {}, [](const Scene&) { return Json(); }});
    }
    t.key({.name = "title", .description = "What the scene is called."}, &Scene::title);
    t.key({.name = "description", .description = "One sentence about it."}, &Scene::description);
    t.key({.name = "rate",
           .unit = "Hz",
           .least = 1,
           .most = 100000,
           .description = "Steps a second; a step is 1 / rate."},
          &Scene::rate);
    t.key({.name = "duration",
           .unit = "s",
           .least = 0,
           .most = 1e6,
           .above = true,
           .description = "How long a run takes without other word."},
          &Scene::duration);
    t.key({.name = "gravity", .unit = "m/s^2", .description = "Which way things fall."},
          &Scene::gravity);
    t.table({.name = "wind", .description = "Wind, if it blows."}, &Scene::wind, wind_table());
    t.named_tables({.name = "material", .description = "What bodies are made of."},
                   &Scene::materials, &MaterialSpec::name, material_table());
    t.named_tables({.name = "body", .required = true, .description = "The bodies."}, &Scene::bodies,
                   &BodySpec::name, body_table());
    t.table({.name = "handle", .description = "The hand, if there is one."}, &Scene::handle,
            handle_table());
    t.table({.name = "device", .description = "Where its motion comes from."}, &Scene::device,
            device_table());
    t.table({.name = "recorder", .description = "What is written down."}, &Scene::recorder,
            recorder_table());
    t.table({.name = "camera", .description = "How it is looked at."}, &Scene::camera,
            camera_table());
    t.table({.name = "colours", .description = "Colours of the picture."}, &Scene::colours,
            colour_table());
    return t;
  }();
  return table;
}

}  // namespace pliant::scene
