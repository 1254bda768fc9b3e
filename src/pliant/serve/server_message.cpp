// SPDX-License-Identifier: MIT
#include "pliant/serve/server_message.hpp"

#include <nlohmann/json.hpp>

#include "pliant/scene/engine_spec.hpp"
#include "pliant/serve/upload.hpp"

namespace pliant::serve {
namespace {

using Json = nlohmann::json;

Json numbers(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
Json maybe(const std::optional<double>& x) {
  return x ? Json(*x) : Json();
}

const char* name_of(JobStep::State state) {
  switch (state) {
    case JobStep::State::waiting:
      return "waiting";
    case JobStep::State::running:
      return "running";
    case JobStep::State::done:
      return "done";
    case JobStep::State::cached:
      return "cached";
  }
  return "";
}

const char* name_of(JobStatus::State state) {
  switch (state) {
    case JobStatus::State::running:
      return "running";
    case JobStatus::State::done:
      return "done";
    case JobStatus::State::cancelled:
      return "cancelled";
    case JobStatus::State::failed:
      return "failed";
  }
  return "";
}

}  // namespace

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const std::vector<MaterialPreset>& material_presets() {
  static const std::vector<MaterialPreset> presets = {
      {"rubber", "stvk", 5e6, 0.45, 1100}, {"silicone", "stvk", 1e6, 0.47, 1150},
      {"soft foam", "stvk", 1e5, 0.3, 60}, {"wood", "stvk", 1e10, 0.35, 600},
      {"steel", "stvk", 2e11, 0.29, 7850}, {"fat", "stvk", 3e3, 0.45, 920},
      {"liver", "stvk", 6e3, 0.45, 1060},  {"muscle", "stvk", 3e4, 0.45, 1060},
      {"skin", "stvk", 3e5, 0.45, 1100}};
  return presets;
}

std::string hello_message(int client, const std::string& file) {
  Json materials = Json::array();
  for (const MaterialPreset& m : material_presets()) {
    materials.push_back({{"name", m.name},
                         {"law", m.law},
                         {"young", m.young},
                         {"poisson", m.poisson},
                         {"density", m.density}});
  }
  Json names = Json::array(), texts = Json::array();
  for (const EngineSpec& spec : specs_for_mesh()) {
    names.push_back(pliant::name_of(spec));
    texts.push_back(text_for_mesh(spec));
  }
  Json costs = Json::array();
  for (const StepCost& cost : step_costs()) {
    costs.push_back({{"engine", cost.engine}, {"seconds", cost.seconds}, {"power", cost.power}});
  }
  return text_of({{"type", "hello"},
                  {"protocol", protocol_version},
                  {"generator", "pliant " PLIANT_VERSION},
                  {"client", client},
                  {"upload", largest_upload},
                  {"formats", upload_formats()},
                  {"engines", names},
                  {"engine_texts", texts},
                  {"costs", costs},
                  {"file", file.empty() ? Json() : Json(file)},
                  {"materials", materials}});
}

namespace {

// What moves the handle and how it is; null: nothing does.
Json device_json(const World& world, const DeviceState& state) {
  if (world.device() == nullptr) return Json();
  const Device& device = world.device()->device();
  constexpr const char* words[] = {"absent", "waiting", "ready"};
  return {{"health", words[static_cast<std::size_t>(device.health())]},
          {"message", device.message()},
          {"scale", state.scale},
          {"indexing", state.indexing}};
}

}  // namespace

std::string settings_message(std::uint32_t epoch, const WorldState& state, const World& world) {
  Json bodies = Json::array();
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const BodySettings& body = state.bodies[b].settings;
    const AssetBody& asset = world.asset_body(static_cast<int>(b));
    Json regions = Json::array();
    for (std::size_t g = 0; g < body.regions.size(); ++g) {
      const RegionConstants& k = body.regions[g];
      const bool lame = fem::has_lame(asset.regions[g].material);
      regions.push_back({{"young", lame ? Json(fem::young_of(k.lambda, k.mu)) : Json()},
                         {"poisson", lame ? Json(fem::poisson_of(k.lambda, k.mu)) : Json()},
                         {"density", k.density}});
    }
    bodies.push_back({{"alpha", body.damping.alpha},
                      {"beta", body.damping.beta},
                      {"active", body.active},
                      {"linear", body.linear},
                      {"regions", regions}});
  }
  return text_of({{"type", "settings"},
                  {"epoch", epoch},
                  {"paused", state.paused},
                  {"speed", state.speed},
                  {"gravity", numbers(state.gravity)},
                  {"wind", numbers(state.wind)},
                  {"device", device_json(world, state.hold.device)},
                  {"bodies", bodies}});
}

std::string steering_message(bool you, std::optional<int> client, std::size_t viewers) {
  return text_of({{"type", "steering"},
                  {"you", you},
                  {"client", client ? Json(*client) : Json()},
                  {"viewers", viewers}});
}

std::string bake_message(int job, const std::string& title, const JobStatus& status) {
  Json steps = Json::array();
  for (const JobStep& step : status.steps) {
    steps.push_back({{"name", step.name},
                     {"state", name_of(step.state)},
                     {"fraction", step.fraction},
                     {"seconds", step.seconds},
                     {"seconds_left", maybe(step.seconds_left)}});
  }
  return text_of({{"type", "bake"},
                  {"job", job},
                  {"title", title},
                  {"state", name_of(status.state)},
                  {"fraction", status.fraction},
                  {"seconds", status.seconds},
                  {"seconds_left", maybe(status.seconds_left)},
                  {"steps", steps}});
}

std::string error_message(const std::string& code, const std::string& message,
                          const std::string& advice, const std::string& about) {
  return text_of({{"type", "error"},
                  {"code", code},
                  {"message", message},
                  {"advice", advice},
                  {"about", about.empty() ? Json() : Json(about)}});
}

}  // namespace pliant::serve
