// SPDX-License-Identifier: MIT
#include "pliant/asset/asset_head.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/table/json.hpp"

namespace pliant {
namespace {

using table::Json;
using table::Reader;
using table::Table;
using table::Value;

Table<BodyRegion> region_table() {
  Table<BodyRegion> t("A part of a body and what it is made of.");
  t.key({.name = "name"}, &BodyRegion::name);
  t.key({.name = "material_name"}, &BodyRegion::material_name);
  Table<fem::Material> material("Its law and constants.");
  material.option({.name = "law"}, law_words(), &fem::Material::law);
  material.key({.name = "isotropic"}, &fem::Material::isotropic);
  material.key({.name = "density", .least = 0, .above = true}, &fem::Material::density);
  material.key({.name = "constants"}, &fem::Material::constants);
  t.table({.name = "material", .required = true}, &BodyRegion::material, material);
  return t;
}

Table<QualityFigures> quality_table() {
  Table<QualityFigures> t("How well the body follows the full one.");
  t.key({.name = "mean"}, &QualityFigures::mean);
  t.key({.name = "worst"}, &QualityFigures::worst);
  t.key({.name = "frequency_error"}, &QualityFigures::frequency_error);
  t.key({.name = "loads"}, &QualityFigures::loads);
  return t;
}

Table<CubatureFigures> cubature_table() {
  Table<CubatureFigures> t("Of forces from cubature.");
  t.key({.name = "points"}, &CubatureFigures::points);
  t.key({.name = "training"}, &CubatureFigures::training);
  t.key({.name = "validation"}, &CubatureFigures::validation);
  t.key({.name = "stiffness"}, &CubatureFigures::stiffness);
  t.key({.name = "met"}, &CubatureFigures::met);
  return t;
}

Table<AssetBody> body_table() {
  Table<AssetBody> t("A body.");
  t.key({.name = "name", .type = KeyType::name, .required = true}, &AssetBody::name);
  t.key({.name = "engine", .type = KeyType::name, .required = true}, &AssetBody::engine);
  t.add({{.name = "settings", .type = KeyType::table, .required = true},
         [](const Value& v, AssetBody& body, Reader&) { body.settings = v; },
         [](const AssetBody& body) { return table::json_of(body.settings); }});
  t.key({.name = "rate", .unit = "Hz", .least = 0, .above = true}, &AssetBody::rate);
  t.tables({.name = "instances", .required = true}, &AssetBody::instances, pose_table());
  t.key({.name = "colour"}, &AssetBody::colour);
  t.tables({.name = "shape"}, &AssetBody::shape, shape_table());
  t.table({.name = "contact"}, &AssetBody::contact, body_contact_table());
  t.key({.name = "element"}, &AssetBody::element);
  t.key({.name = "free"}, &AssetBody::free);
  t.tables({.name = "regions"}, &AssetBody::regions, region_table());
  t.key({.name = "frequencies", .unit = "Hz"}, &AssetBody::frequencies);
  t.table({.name = "quality"}, &AssetBody::quality, quality_table());
  t.table({.name = "cubature"}, &AssetBody::cubature, cubature_table());
  t.check([](const Value& v, AssetBody& body, Reader& r) {
    if (body.instances.empty()) r.fail(v.source, "the body stands nowhere", "", "an instance");
  });
  return t;
}

Table<BakeStepReport> step_table() {
  Table<BakeStepReport> t("A step of the bake.");
  t.key({.name = "name"}, &BakeStepReport::name);
  t.key({.name = "key"}, &BakeStepReport::key);
  t.key({.name = "seconds", .least = 0}, &BakeStepReport::seconds);
  t.add({{.name = "bytes", .least = 0},
         [](const Value& v, BakeStepReport& step, Reader& r) {
           step.bytes = static_cast<std::size_t>(
               table::Codec<double>::read(v, {.name = "bytes", .least = 0, .most = 1e18}, r));
         },
         [](const BakeStepReport& step) { return Json(static_cast<double>(step.bytes)); }});
  return t;
}

const Table<AssetHead>& head_table() {
  static const Table<AssetHead> all = [] {
    Table<AssetHead> t("The head of an asset.");
    t.key({.name = "title"}, &AssetHead::title);
    t.key({.name = "description"}, &AssetHead::description);
    t.key({.name = "rate", .unit = "Hz", .least = 0, .most = 1e6, .above = true, .required = true},
          &AssetHead::rate);
    t.key({.name = "duration", .unit = "s", .least = 0, .above = true}, &AssetHead::duration);
    t.key({.name = "gravity", .unit = "m/s^2"}, &AssetHead::gravity);
    t.table({.name = "wind"}, &AssetHead::wind, wind_table());
    t.table({.name = "handle"}, &AssetHead::handle, handle_table());
    t.table({.name = "device"}, &AssetHead::device, device_table());
    t.table({.name = "camera"}, &AssetHead::camera, camera_table());
    t.table({.name = "colours"}, &AssetHead::colours, colour_table());
    t.table({.name = "contact"}, &AssetHead::contact, contact_table());
    t.tables({.name = "bodies", .required = true}, &AssetHead::bodies, body_table());
    t.tables({.name = "steps"}, &AssetHead::steps, step_table());
    t.check([](const Value& v, AssetHead& head, Reader& r) {
      std::vector<std::string> names;
      for (const AssetBody& body : head.bodies) names.push_back(body.name);
      std::sort(names.begin(), names.end());
      const auto twice = std::adjacent_find(names.begin(), names.end());
      if (twice != names.end()) r.fail(v.source, "there are two bodies of one name", *twice);
      if (!head.handle) return;
      std::vector<std::string> moved{head.handle->body};
      for (const FingerSpec& finger : head.handle->fingers) moved.push_back(finger.body);
      for (const std::string& name : moved) {
        if (std::binary_search(names.begin(), names.end(), name)) continue;
        r.fail(v.source, "the handle moves a body that is not there", name);
      }
    });
    return t;
  }();
  return all;
}

}  // namespace

const table::Words<fem::Law>& law_words() {
  using fem::Law;
  static const table::Words<Law> words = [] {
    table::Words<Law> all;
    for (const Law law : {Law::linear, Law::stvk, Law::corotational, Law::neo_hookean,
                          Law::stable_neo_hookean, Law::mooney_rivlin}) {
      all.push_back({fem::name_of(law), law});
    }
    return all;
  }();
  return words;
}

std::map<std::string, std::string> metadata_of(const AssetHead& head) {
  return {{"format", "pliant"},
          {"version", std::to_string(asset_version)},
          {"generator", head.generator},
          {"scene", head.scene},
          {"head", table::json_text(head_table().write(head))}};
}

AssetHead read_asset_head(const TensorView& file) {
  const auto text = [&](const char* key) -> const std::string& {
    const auto found = file.metadata().find(key);
    if (found != file.metadata().end()) return found->second;
    throw Error({file.name(), 0, key}, "this is missing: is it an asset of `pliant bake`?");
  };
  if (text("format") != "pliant") throw Error({file.name(), 0, ""}, "not an asset of Pliant");
  if (!file.has_hashes()) {
    throw Error({file.name(), 0, ""}, "it carries no hash of its tensors: bake the scene again");
  }
  if (text("version") != std::to_string(asset_version)) {
    throw Error({file.name(), 0, "version"}, "an asset of another version: bake the scene again",
                text("version"), std::to_string(asset_version));
  }
  AssetHead head;
  head.generator = text("generator");
  head.scene = text("scene");
  const auto source = std::make_shared<table::File>(table::File{file.name(), {}, 1.0});
  Reader reader;
  head_table().read(table::parse_json(text("head"), source), head, reader);
  return head;
}

}  // namespace pliant
