// SPDX-License-Identifier: MIT
#include "pliant/world/recording/cycle_file.hpp"

#include <cstring>

#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"

namespace pliant {
namespace {

using Json = nlohmann::json;

constexpr const char* format = "pliant cycles";

Json json_of(const DeviceLink& link) {
  const DeviceFacts& f = link.device().facts();
  const DeviceLinkSpec& s = link.spec();
  const Eigen::Quaterniond& q = s.axes;
  return {{"name", f.name},
          {"senses_rotation", f.senses_rotation},
          {"renders_force", f.renders_force},
          {"renders_torque", f.renders_torque},
          {"has_gripper", f.has_gripper},
          {"relative", f.relative},
          {"stiffness", f.stiffness},
          {"damping", f.damping},
          {"most_force", f.most_force},
          {"most_torque", f.most_torque},
          {"workspace", f.workspace},
          {"rate", f.rate},
          {"scale", s.scale},
          {"axes", {q.w(), q.x(), q.y(), q.z()}},
          {"guard", s.guard},
          {"port",
           {s.port.rise, s.port.fall, s.port.patience, s.port.most_speed, s.port.calm_speed,
            s.port.most_change, s.port.most_impulse, s.port.memory}}};
}

RecordedDevice device_of(const Json& json) {
  RecordedDevice out;
  DeviceFacts& f = out.facts;
  json.at("name").get_to(f.name);
  json.at("senses_rotation").get_to(f.senses_rotation);
  json.at("renders_force").get_to(f.renders_force);
  json.at("renders_torque").get_to(f.renders_torque);
  json.at("has_gripper").get_to(f.has_gripper);
  json.at("relative").get_to(f.relative);
  json.at("stiffness").get_to(f.stiffness);
  json.at("damping").get_to(f.damping);
  json.at("most_force").get_to(f.most_force);
  json.at("most_torque").get_to(f.most_torque);
  json.at("workspace").get_to(f.workspace);
  json.at("rate").get_to(f.rate);
  DeviceLinkSpec& s = out.link;
  json.at("scale").get_to(s.scale);
  const auto axes = json.at("axes").get<std::array<double, 4>>();
  s.axes = Eigen::Quaterniond(axes[0], axes[1], axes[2], axes[3]);
  json.at("guard").get_to(s.guard);
  const auto port = json.at("port").get<std::array<double, 8>>();
  s.port = {.rise = port[0],
            .fall = port[1],
            .patience = port[2],
            .most_speed = port[3],
            .calm_speed = port[4],
            .most_change = port[5],
            .most_impulse = port[6],
            .memory = port[7]};
  return out;
}

}  // namespace

std::string scene_hash(const World& world) {
  return Hasher().add(world.head().scene).hex();
}

std::string cycle_metadata(const World& world) {
  std::string columns;
  for (const char* name : cycle_columns)
    columns += (columns.empty() ? "" : ",") + std::string(name);
  Json json = {{"format", format},
               {"columns", columns},
               {"rate", Json(world.head().rate).dump()},
               {"scene", scene_hash(world)}};
  if (world.device() != nullptr) json["device"] = json_of(*world.device()).dump();
  return json.dump();
}

std::string cycle_head(const std::string& metadata, std::int64_t rows) {
  const auto columns = static_cast<std::int64_t>(cycle_columns.size());
  const auto bytes = rows * columns * static_cast<std::int64_t>(sizeof(double));
  const Json json = {
      {"__metadata__", Json::parse(metadata)},
      {"cycles", {{"dtype", "F64"}, {"shape", {rows, columns}}, {"data_offsets", {0, bytes}}}}};
  std::string head(sizeof(std::uint64_t), '\0');
  const std::uint64_t length = cycle_head_size - sizeof length;
  std::memcpy(head.data(), &length, sizeof length);
  head += json.dump();
  if (head.size() > cycle_head_size) throw Error("the head of a recording does not fit");
  head.resize(cycle_head_size, ' ');
  return head;
}

CycleFile::CycleFile(const std::filesystem::path& path) : name_(path.string()), file_(path) {
  const auto fail = [&](const std::string& message) { throw Error({name_, 0, ""}, message); };
  const std::string_view bytes = file_.bytes();
  if (!is_cycle_file(path))
    fail("not a recording of cycles: `pliant play --record FILE` makes one");
  const auto text = bytes.substr(8, cycle_head_size - 8);
  const Json head = Json::parse(text, nullptr, false);
  constexpr std::size_t row_size = sizeof(CycleRow);
  try {
    const Json& metadata = head.at("__metadata__");
    rows_ = head.at("cycles").at("shape").at(0).get<std::int64_t>();
    if (rows_ < 0 || static_cast<std::uint64_t>(rows_) > bytes.size() / row_size) {
      fail("it says more rows than it has");
    }
    // What a killed program has written behind the last row that counts is not looked at.
    const std::size_t size = cycle_head_size + static_cast<std::size_t>(rows_) * row_size;
    if (size > bytes.size()) fail("it says more rows than it has");
    const TensorView view(bytes.substr(0, size), name_);
    const auto matrix =
        view.matrix<double>("cycles", static_cast<std::int64_t>(cycle_columns.size()));
    data_ = matrix.data();
    rate_ = Json::parse(metadata.at("rate").get<std::string>()).get<double>();
    metadata.at("scene").get_to(scene_);
    if (metadata.contains("device")) {
      device_ = device_of(Json::parse(metadata.at("device").get<std::string>()));
    }
  } catch (const Json::exception& error) {
    fail(std::string("its head is not sound: ") + error.what());
  }
  if (!(rate_ > 0 && rate_ < 1e9)) fail("its head says no rate");
}

bool is_cycle_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::uint64_t length = 0;
  if (file.bytes().size() < cycle_head_size) return false;
  std::memcpy(&length, file.bytes().data(), sizeof length);
  return length == cycle_head_size - sizeof length &&
         file.bytes().substr(0, cycle_head_size).find(format) != std::string_view::npos;
}

}  // namespace pliant
