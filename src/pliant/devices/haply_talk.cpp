// SPDX-License-Identifier: MIT
#include "pliant/devices/haply_talk.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"

namespace pliant::devices {
namespace {

using Json = nlohmann::json;

constexpr double farthest = 10.0, fastest = 100.0;  // m, m/s
constexpr std::size_t longest_id = 64;
constexpr const char* grips[] = {"wireless_verse_grip", "custom_verse_grip", "verse_grip"};

// A member of an object, or null.
const Json& at(const Json& json, const char* name) {
  static const Json none;
  if (!json.is_object()) return none;
  const auto found = json.find(name);
  return found == json.end() ? none : *found;
}

const Json& first_of(const Json& list) {
  static const Json none;
  return list.is_array() && !list.empty() ? list.front() : none;
}

std::optional<double> number(const Json& json) {
  if (!json.is_number()) return std::nullopt;
  const auto value = json.get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<bool> truth(const Json& json) {
  return json.is_boolean() ? std::optional(json.get<bool>()) : std::nullopt;
}

std::optional<Vector3d> vector(const Json& json, double most) {
  const auto x = number(at(json, "x")), y = number(at(json, "y")), z = number(at(json, "z"));
  if (!x || !y || !z) return std::nullopt;
  const Vector3d v(*x, *y, *z);
  return v.cwiseAbs().maxCoeff() <= most ? std::optional(v) : std::nullopt;
}

std::optional<Eigen::Quaterniond> rotation(const Json& json) {
  const auto w = number(at(json, "w"));
  const auto v = vector(json, 1.1);
  if (!w || !v) return std::nullopt;
  const Eigen::Quaterniond q(*w, (*v)[0], (*v)[1], (*v)[2]);
  return q.norm() > 0.9 && q.norm() < 1.1 ? std::optional(q.normalized()) : std::nullopt;
}

// a, b, c, or whatever they are called, in their order.
std::uint32_t buttons_of(const Json& json) {
  std::uint32_t buttons = 0, bit = 1;
  if (!json.is_object()) return 0;
  for (const auto& [name, pressed] : json.items()) {
    if (!pressed.is_boolean()) continue;
    if (pressed.get<bool>()) buttons |= bit;
    bit <<= 1;
    if (bit == 0) break;
  }
  return buttons;
}

void read_config(const Json& json, HaplyConfig& config) {
  if (at(json, "preset").is_string()) config.preset = printable(json["preset"].get<std::string>());
  const auto keep = [](auto value, auto& out) {
    if (value) out = value;
  };
  const Json& filters = at(json, "filters");
  keep(number(at(at(filters, "force_gate"), "gain")), config.force_gate);
  keep(number(at(at(filters, "damping"), "scalar")), config.damping);
  keep(truth(at(at(json, "torque_scaling"), "enabled")), config.torque_scaling);
  keep(truth(at(at(json, "gravity_compensation"), "enabled")), config.gravity_compensation);
}

}  // namespace

HaplyTalk::Heard HaplyTalk::take(std::string_view text, double now, DeviceSample& sample) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Heard::not_sound;
  const Json& device = first_of(at(json, "inverse3"));
  const Json& id = at(device, "device_id");
  if (!id.is_string()) return Heard::no_device;
  const auto name = id.get<std::string>();
  if (name.empty() || name.size() > longest_id || printable(name) != name) return Heard::not_sound;
  read_config(at(device, "config"), config_);
  if (const auto calibrated = truth(at(at(device, "status"), "calibrated"))) {
    calibrated_ = *calibrated;
  }
  if (id_ != name) {  // the inventory, or another device in place of the first
    id_ = name;
    greeted_ = false;
    old_service_ = !json.contains("session_id");
    last_ = -1.0;
    return Heard::inventory;
  }
  if (!greeted_) return Heard::no_state;
  const Json& state = at(device, "state");
  if (state.is_null()) return Heard::no_state;
  const auto position = vector(at(state, "cursor_position"), farthest);
  const auto velocity = vector(at(state, "cursor_velocity"), fastest);
  if (!position) return Heard::not_sound;
  sample = {};
  sample.pose.position = *position;
  if (velocity) sample.twist.head<3>() = *velocity;
  has_grip_ = false;
  for (const char* kind : grips) {
    const Json& grip = at(first_of(at(json, kind)), "state");
    const auto turned = rotation(at(grip, "orientation"));
    if (!turned) continue;
    has_grip_ = true;
    if (last_ >= 0 && now > last_) {
      sample.twist.tail<3>() = rotation_vector(*turned * turned_.conjugate()) / (now - last_);
    }
    turned_ = *turned;
    sample.buttons = buttons_of(at(grip, "buttons"));
    break;
  }
  sample.pose.rotation = turned_;
  last_ = now;
  return Heard::state;
}

std::string HaplyTalk::answer(const Vector3d& force) {
  const Json vector = {{"x", force[0]}, {"y", force[1]}, {"z", force[2]}};
  Json device = {
      {"device_id", id_},
      {"commands", {{"set_cursor_force", {{old_service_ ? "values" : "vector", vector}}}}}};
  Json message = Json::object();
  if (!greeted_) {
    greeted_ = true;
    message["session"] = {{"configure", {{"profile", {{"name", "pliant"}}}}}};
    Json configure = {{"preset", {{"preset", spec_.preset}}}, {"basis", {{"permutation", "XYZ"}}}};
    if (spec_.force_gate) configure["force_gate"] = {{"gain", *spec_.force_gate}};
    if (spec_.damping) configure["damping"] = {{"scalar", *spec_.damping}};
    device["configure"] = std::move(configure);
  }
  message["inverse3"] = Json::array({std::move(device)});
  return message.dump();
}

std::vector<std::pair<std::string, std::string>> HaplyTalk::settings() const {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const char* name, const std::optional<bool>& wanted) {
    if (wanted) out.emplace_back(name, Json{{"enabled", *wanted}}.dump());
  };
  add("torque_scaling", spec_.torque_scaling);
  add("gravity_compensation", spec_.gravity_compensation);
  return out;
}

std::string HaplyTalk::words() const {
  std::string text = "Inverse3 " + id_ + (has_grip_ ? ", with a grip" : ", without a grip");
  if (!config_.preset.empty()) text += ", preset " + config_.preset;
  if (config_.force_gate) text += fmt::format(", force gate {}", *config_.force_gate);
  if (config_.damping) text += fmt::format(", damping {}", *config_.damping);
  const auto add = [&](const char* name, const std::optional<bool>& on) {
    if (on) text += fmt::format(", {} {}", name, *on ? "on" : "off");
  };
  add("torque scaling", config_.torque_scaling);
  add("gravity compensation", config_.gravity_compensation);
  return text;
}

}  // namespace pliant::devices
