// SPDX-License-Identifier: MIT
#include "pliant/scene/tables.hpp"

namespace pliant::scene {

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
    t.table({.name = "contact", .description = "How bodies meet."}, &Scene::contact,
            contact_table());
    t.later("recorder");
    t.table({.name = "camera", .description = "How it is looked at."}, &Scene::camera,
            camera_table());
    t.table({.name = "colours", .description = "Colours of the picture."}, &Scene::colours,
            colour_table());
    return t;
  }();
  return table;
}

}  // namespace pliant::scene
