// SPDX-License-Identifier: MIT
#include "pliant/serve/scene_message.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pliant/base/bounds.hpp"
#include "pliant/scene/canonical.hpp"

namespace pliant::serve {
namespace {

using Json = nlohmann::json;

constexpr double hand_reach = 0.5;  // of the scene's size: how far a hand pulls with the most force

template <class Vector>
Json numbers(const Vector& v) {
  Json list = Json::array();
  for (const auto x : v) list.push_back(std::isfinite(x) ? x : 0.0);
  return list;
}

Json text_of(const Colour& c) {
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

Json region_json(const BodyRegion& region) {
  const fem::Material& m = region.material;
  Json json = {{"name", region.name},        {"material", region.material_name},
               {"law", fem::name_of(m.law)}, {"constants", numbers(m.constants)},
               {"density", m.density},       {"young", nullptr},
               {"poisson", nullptr}};
  if (fem::has_lame(m)) {
    json["young"] = fem::young_of(m.constants[0], m.constants[1]);
    json["poisson"] = fem::poisson_of(m.constants[0], m.constants[1]);
  }
  return json;
}

Json modes_json(const BodyModel& model) {
  const RestModes modes = model.ops->rest_modes(model.model.get());
  Json list = Json::array();
  for (Index i = 0; i < modes.frequencies.size(); ++i) {
    list.push_back({{"frequency", modes.frequencies[i]}, {"c", numbers(modes.c.col(i))}});
  }
  return list;
}

// Of a body whose answers are separated terms; null: others.
Json separated_json(const AssetBody& body, const BodyModel& model) {
  const SeparatedTerms told = model.ops->separated(model.model.get());
  if (told.terms == 0) return Json();
  Json directions = Json::array();
  for (const auto d : told.directions.colwise()) directions.push_back(numbers(d));
  return {{"tensors", body.tensor(std::string(model.ops->facts.name) + "/")},
          {"terms", told.terms},
          {"shapes", model.ops->size(model.model.get())},
          {"positions", told.positions},
          {"directions", directions},
          {"magnitudes", numbers(told.magnitudes)},
          {"between", told.linear ? "linear" : "nearest"},
          {"errors", numbers(told.errors)},
          {"single_error", told.single_error},
          {"triple_error", told.triple_error},
          {"corrects", told.corrects}};
}

std::int64_t columns(const TensorFile& asset, const std::string& name) {
  return asset.contains(name) ? asset.at(name).shape.at(0) : 0;
}

// The spring of a hand that suits the body, and the one that its step can bear there.
Json hand_json(const BodyModel& model) {
  const HandFit& hand = model.hand;
  if (!(hand.suits > 0) || !std::isfinite(hand.suits)) return Json();
  return {{"stiffness", std::min(hand.suits, stiffest_hand(model, hand.mobility))},
          {"suits", hand.suits}};
}

// The rectangle of its pressure image.
Json image_json(const BodyModel& model) {
  const PressureLayout layout = model.ops->image_layout(model.model.get());
  if (layout.size() == 0) return Json();
  return {{"corner", numbers(layout.corner)},
          {"right", numbers(layout.right)},
          {"up", numbers(layout.up)},
          {"columns", layout.columns},
          {"rows", layout.rows}};
}

Json body_json(const World& world, int index, const TensorFile& asset, bool sketch) {
  const AssetBody& body = world.asset_body(index);
  const BodyModel& model = world.model(index);
  const EngineFacts& facts = model.ops->facts;
  const Pose& pose = world.body(index).motion.pose;
  const Eigen::Quaterniond& q = pose.rotation;
  const Edits& edits = model.edits;
  const Json hand = hand_json(model);
  Json json = {{"name", world.body(index).name},
               {"shape", body.name},
               {"engine", facts.name},
               {"facts",
                {{"what", facts.what},
                 {"measured", !body.frequencies.empty()},
                 {"bounded", facts.bounded},
                 {"dense", facts.dense},
                 {"elements", !body.element.empty()},
                 {"pressed", model.ops->pressed},
                 {"moves", !hand.is_null()},
                 {"rate", 1 / model.dt},
                 {"interpolated", model.divider > 1}}},
               {"position", numbers(pose.position)},
               {"rotation", {q.w(), q.x(), q.y(), q.z()}},
               {"colour", body.colour ? text_of(*body.colour) : Json()},
               {"element", body.element.empty() ? Json() : Json(body.element)},
               {"free", body.free},
               {"points", columns(asset, body.tensor("shape/X"))},
               {"triangles", columns(asset, body.tensor("surface/triangles"))},
               {"nodes", columns(asset, body.tensor("volume/V"))},
               {"elements", columns(asset, body.tensor("volume/E"))},
               {"r", facts.dense ? 0 : model.ops->size(model.model.get())},
               {"regions", Json::array()},
               {"frequencies", numbers(body.frequencies)},
               {"modes", modes_json(model)},
               {"separated", separated_json(body, model)},
               {"quality", nullptr},
               {"image", image_json(model)},
               {"hand", hand},
               {"edits",
                {{"material", edits.material},
                 {"damping", edits.damping},
                 {"active", edits.active},
                 {"linear", edits.linear},
                 {"pose", edits.pose},
                 {"sketch", sketch}}}};
  for (const BodyRegion& region : body.regions) json["regions"].push_back(region_json(region));
  if (body.quality) {
    json["quality"] = {{"mean", body.quality->mean},
                       {"worst", body.quality->worst},
                       {"frequency_error", body.quality->frequency_error},
                       {"loads", body.quality->loads}};
  }
  return json;
}

// Of the first body that a hand can move.
double first_hand(const World& world) {
  for (int b = 0; b < world.body_count(); ++b) {
    const Json hand = hand_json(world.model(b));
    if (!hand.is_null()) return hand["stiffness"];
  }
  return 0;
}

double size_of(const World& world) {
  Eigen::AlignedBox3d box;
  for (int b = 0; b < world.body_count(); ++b) {
    for (int p = 0; p < world.point_count(b); ++p) box.extend(world.position(b, p));
  }
  return diagonal(box);
}

// The body that the pointer moves, or null.
Json handle_json(const World& world) {
  const bool viewer = std::holds_alternative<ViewerDevice>(world.head().device);
  return viewer && world.data().hold.body >= 0 ? Json(world.data().hold.body) : Json();
}

// What moves the handle in place of the pointer, and what it can do; null: nothing does.
Json device_json(const World& world) {
  const DeviceSpec& spec = world.head().device;
  const bool hardware = std::holds_alternative<HaplyDevice>(spec) ||
                        std::holds_alternative<SpaceMouseDevice>(spec) ||
                        std::holds_alternative<NetworkDevice>(spec);
  if (world.device() == nullptr && !hardware) return Json();
  Json json = Json::object();
  if (hardware) json["settings"] = device_table().write(spec);
  if (world.device() == nullptr) return json;
  const DeviceFacts& facts = world.device()->device().facts();
  json["name"] = facts.name;
  json["senses_rotation"] = facts.senses_rotation;
  json["renders_force"] = facts.renders_force;
  json["renders_torque"] = facts.renders_torque;
  json["gripper"] = facts.has_gripper;
  json["relative"] = facts.relative;
  json["force"] = facts.most_force;
  json["torque"] = facts.most_torque;
  json["stiffness"] = facts.stiffness;
  json["workspace"] = facts.workspace;
  json["rate"] = facts.rate;
  return json;
}

// What the scene's file needs beside it; null: there is no such file.
Json files_json(const SceneOrigin& origin) {
  if (!origin.scene) return Json();
  Json files = Json::array();
  for (const std::filesystem::path& file : input_files(*origin.scene)) {
    files.push_back(file.filename().string());
  }
  return files;
}

Json camera_json(const CameraSpec& camera) {
  const auto place = [](const std::optional<Vector3d>& v) { return v ? numbers(*v) : Json(); };
  return {{"position", place(camera.position)},
          {"target", place(camera.target)},
          {"up", numbers(camera.up)},
          {"field_of_view", camera.field_of_view}};
}

}  // namespace

Json scene_message(const SceneOrigin& origin, const TensorFile& asset, const std::string& asset_id,
                   World& world) {
  const AssetHead& head = world.head();
  const ColourSpec& colours = head.colours;
  const double stiffness = first_hand(world);
  Json json = {
      {"type", "scene"},
      {"id", origin.id ? Json(*origin.id) : Json()},
      {"title", head.title},
      {"description", head.description},
      {"asset", "/asset/" + asset_id},
      {"files", files_json(origin)},
      {"rate", head.rate},
      {"camera", camera_json(head.camera)},
      {"colours",
       {{"background", text_of(colours.background)},
        {"force", text_of(colours.force)},
        {"contact", text_of(colours.contact)},
        {"fixed", text_of(colours.fixed)}}},
      {"pull", {{"stiffness", stiffness}, {"max_force", hand_reach * stiffness * size_of(world)}}},
      {"handle", handle_json(world)},
      {"held", world.data().hold.body >= 0 ? Json(world.data().hold.body) : Json()},
      {"fingers", world.data().hold.fingers.size()},
      {"device", device_json(world)},
      {"bodies", Json::array()},
      {"steps", Json::array()}};
  for (int b = 0; b < world.body_count(); ++b) {
    json["bodies"].push_back(body_json(world, b, asset, can_sketch(origin, world.asset_body(b))));
  }
  for (const BakeStepReport& step : origin.steps.empty() ? head.steps : origin.steps) {
    json["steps"].push_back({{"name", step.name},
                             {"seconds", step.seconds},
                             {"bytes", step.bytes},
                             {"cached", step.cached}});
  }
  return json;
}

}  // namespace pliant::serve
