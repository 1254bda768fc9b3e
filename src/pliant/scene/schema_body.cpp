// SPDX-License-Identifier: MIT
#include <algorithm>

#include "pliant/asset/asset_head.hpp"
#include "pliant/scene/tables.hpp"

namespace pliant::scene {
namespace {

Table<FixedBox> box_table() {
  Table<FixedBox> t("All nodes in a box along the axes, its faces included.");
  t.key({.name = "from", .unit = "m", .required = true, .description = "Its lowest corner."},
        &FixedBox::from);
  t.key({.name = "to", .unit = "m", .required = true, .description = "Its highest corner."},
        &FixedBox::to);
  t.check([](const Value& v, FixedBox& box, Reader& r) {
    if ((box.from.array() <= box.to.array()).all()) return;
    const Reader::Step step(r, "to");
    r.fail(source_of(v, "to"), "the box is empty: a coordinate of 'to' is below that of 'from'");
  });
  return t;
}

Table<FixedPlane> plane_table() {
  Table<FixedPlane> t("All nodes behind or on a plane: (x - point) . normal <= 0.");
  t.key({.name = "point", .unit = "m", .required = true, .description = "Any point of it."},
        &FixedPlane::point);
  t.key({.name = "normal",
         .required = true,
         .description = "Direction away from the fixed side; its length does not matter."},
        &FixedPlane::normal);
  t.check([](const Value& v, FixedPlane& plane, Reader& r) {
    plane.normal = plane.normal.stableNormalized();
    if (plane.normal.norm() > 0.5) return;
    const Reader::Step step(r, "normal");
    r.fail(source_of(v, "normal"), "wrong value", "[0, 0, 0]", "a direction");
  });
  return t;
}

Table<FixedSphere> sphere_table() {
  Table<FixedSphere> t("All nodes in a ball.");
  t.key({.name = "centre", .unit = "m", .required = true, .description = "Its centre."},
        &FixedSphere::centre);
  t.key({.name = "radius",
         .unit = "m",
         .least = 0,
         .above = true,
         .required = true,
         .description = "Its radius."},
        &FixedSphere::radius);
  return t;
}

Table<FixedNodes> nodes_table() {
  Table<FixedNodes> t("Nodes by their numbers.");
  t.key({.name = "nodes",
         .type = KeyType::wholes,
         .least = 0,
         .default_text = "none",
         .description = "Numbers in the volume mesh, from 0."},
        &FixedNodes::nodes);
  t.key({.name = "file",
         .default_text = "none",
         .description = "A file (.bou) of numbers in the volume mesh, from 1, between commas or "
                        "spaces."},
        &FixedNodes::file);
  t.check([](const Value& v, FixedNodes& nodes, Reader& r) {
    if (nodes.nodes.empty() != nodes.file.empty()) return;
    r.fail(v.source, "nodes are a list or a file", nodes.file.empty() ? "neither" : "both",
           "one of the keys 'nodes' and 'file'");
  });
  return t;
}

Table<FixedGroup> group_table() {
  Table<FixedGroup> t("The nodes of a named set of the mesh.");
  t.key({.name = "group",
         .type = KeyType::name,
         .required = true,
         .description = "A node set of the volume, a group of the surface, or a painted vertex "
                        "group."},
        &FixedGroup::name);
  return t;
}

Table<ControlSpec> control_table() {
  Table<ControlSpec> t(
      "A control element: nodes that are moved together, by an affine motion. `kind` says which.");
  t.require_kind();
  t.include(&ControlSpec::own, control_settings_table());
  t.alternative("box", &ControlSpec::nodes, box_table());
  t.alternative("plane", &ControlSpec::nodes, plane_table());
  t.alternative("sphere", &ControlSpec::nodes, sphere_table());
  t.alternative("nodes", &ControlSpec::nodes, nodes_table());
  t.alternative("group", &ControlSpec::nodes, group_table());
  return t;
}

Table<RegionSpec> region_table() {
  Table<RegionSpec> t(
      "Parts of the body and their materials. Where parts overlap, the first counts.");
  t.key({.name = "name",
         .type = KeyType::name,
         .required = true,
         .description = "A closed group of the surface, or a region of the volume."},
        &RegionSpec::name);
  t.key({.name = "material",
         .type = KeyType::name,
         .required = true,
         .description = "The name of a [material.NAME]."},
        &RegionSpec::material);
  return t;
}

Table<FixedSpec> node_rules(const char* what) {
  Table<FixedSpec> t(what);
  t.require_kind();
  t.alternative("box", box_table());
  t.alternative("plane", plane_table());
  t.alternative("sphere", sphere_table());
  t.alternative("nodes", nodes_table());
  t.alternative("group", group_table());
  return t;
}

const Table<FixedSpec>& accessible_table() {
  static const Table<FixedSpec> table = node_rules(
      "Where loads act that the body knows answers to: the nodes of the surface in all of these "
      "together.");
  return table;
}

// A body is a mesh or a shape; the latter is rigid.
void check_shape(const Value& v, BodySpec& body, Reader& r) {
  const auto& object = std::get<Object>(v.data);
  if (body.shape.empty()) {
    if (object.contains("mesh")) return;
    r.fail(v.source, "the key 'mesh' is missing", "", "mesh = { ... }, or shape = [{ ... }]");
  }
  for (const char* key :
       {"mesh", "meshing", "material", "region", "law", "fixed", "control", "accessible"}) {
    const auto it = object.find(key);
    if (it == object.end()) continue;
    r.fail(it->second.key, std::string("the key '") + key + "' is not for a body with a shape");
  }
  if (!object.contains("engine")) body.engine = RigidSpec{};
  const auto* rigid = std::get_if<RigidSpec>(&body.engine);
  if (rigid == nullptr) {
    const Reader::Step step(r, "engine");
    r.fail(source_of(v, "engine"), "a shape by formulas is rigid", name_of(body.engine),
           "kind = \"rigid\", or a mesh");
  }
  const auto endless = [](const ShapeSpec& s) { return std::holds_alternative<PlaneShape>(s); };
  if (rigid->motion == RigidMotion::free && std::ranges::any_of(body.shape, endless)) {
    const Reader::Step step(r, "shape");
    r.fail(source_of(v, "shape"), "a plane has no end, and cannot fly", "",
           "a box, or motion = \"fixed\" or \"kinematic\"");
  }
}

}  // namespace

const Table<FixedSpec>& fixed_table() {
  static const Table<FixedSpec> table = node_rules(
      "What is held: all of these together. Coordinates are those of the mesh after `scale`, "
      "before "
      "the pose.");
  return table;
}

const Table<BodySpec>& body_table() {
  static const Table<BodySpec> table = [] {
    Table<BodySpec> t("A body. NAME is any word of letters, digits, - and _.");
    t.table({.name = "mesh",
             .description = "Where its shape comes from; a body has a mesh or a shape."},
            &BodySpec::mesh, mesh_table());
    t.tables({.name = "shape",
              .description = "Instead of a mesh, of a rigid body: solids by formulas, all of them "
                             "together."},
             &BodySpec::shape, shape_table());
    t.table({.name = "meshing", .description = "How its solid elements come about."},
            &BodySpec::meshing, meshing_table());
    t.table({.name = "pose", .description = "Where it stands."}, &BodySpec::pose, pose_table());
    t.tables(
        {.name = "instances",
         .description = "Several such bodies at these poses, which share all but their motion."},
        &BodySpec::instances, pose_table());
    t.key({.name = "rate",
           .unit = "Hz",
           .least = 0,
           .above = true,
           .default_text = "that of the scene",
           .description = "Steps a second of this body, a whole part of the scene's rate: beside "
                          "the others it is stepped by a thread of its own, and shown one step "
                          "late."},
          &BodySpec::rate);
    t.key({.name = "material",
           .type = KeyType::name,
           .default_text = "what the mesh brings along",
           .description = "Of all that no region names: the name of a [material.NAME]."},
          &BodySpec::material);
    t.tables({.name = "region", .description = "Parts of other materials."}, &BodySpec::regions,
             region_table());
    t.option({.name = "law",
              .description = "How stress follows from strain in materials that the mesh brings "
                             "along."},
             law_words(), &BodySpec::law);
    t.tables(
        {.name = "fixed",
         .description = "What of it is held; [] for nothing; without it, what the model says."},
        &BodySpec::fixed, fixed_table());
    t.tables({.name = "control",
              .description = "Its control elements, of the engine green; without it, the sets "
                             "control_0, control_1, .. of the mesh."},
             &BodySpec::control, control_table());
    t.tables(
        {.name = "accessible",
         .description = "Where it may be loaded, of the engine vademecum; without it, anywhere "
                        "on its surface. Of the engine green, nodes at which forces are exact, "
                        "besides the points of `touch`."},
        &BodySpec::accessible, accessible_table());
    t.table({.name = "engine", .description = "What moves it."}, &BodySpec::engine, engine_table());
    t.table({.name = "contact", .description = "What it is to others that it meets."},
            &BodySpec::contact, body_contact_table());
    t.key({.name = "colour",
           .default_text = "chosen by the viewer",
           .description = "How it is painted."},
          &BodySpec::colour);
    t.check([](const Value& v, BodySpec& body, Reader& r) {
      body.place = r.place(v.source);
      check_shape(v, body, r);
    });
    return t;
  }();
  return table;
}

}  // namespace pliant::scene
