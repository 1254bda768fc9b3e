// SPDX-License-Identifier: MIT
#include "pliant/serve/open_scene.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/serve/scene_message.hpp"

namespace pliant::serve {
namespace {

// The step of a full body takes as long as it takes: with real-time priority it would starve all
// else on the machine.
bool bounded_steps(const AssetHead& head) {
  return std::none_of(head.bodies.begin(), head.bodies.end(),
                      [](const AssetBody& body) { return body.engine == Engine::full; });
}

void check_size(const World& world) {
  for (int b = 0; b < world.body_count(); ++b) {
    const AssetBody& body = world.head().bodies[static_cast<std::size_t>(b)];
    if (body.engine != Engine::full || world.point_count(b) <= most_dense_points) continue;
    throw Error({"", 0, "body " + body.name}, "too many points of a full body to be shown",
                std::to_string(world.point_count(b)), fmt::format("at most {}", most_dense_points));
  }
}

}  // namespace

OpenScene::OpenScene(const std::filesystem::path& path, SceneOrigin origin, bool real_time)
    : origin_(std::move(origin)), asset_(std::make_shared<const TensorFile>(path)) {
  const auto file = std::make_shared<const MappedFile>(path);
  asset_bytes_ = {file, file->bytes()};
  asset_id_ = Hasher().add(file->bytes()).hex();
  World world(*asset_);
  check_size(world);
  const AssetHead& head = world.head();
  for (int b = 0; b < world.body_count(); ++b) {
    const AssetBody& body = head.bodies[static_cast<std::size_t>(b)];
    edits_.push_back(edits_of(body, world.reduced_model(b), origin_.scene.has_value()));
  }
  at_start_ = settings_ = settings_of(head, world);
  for (const BodySettings& body : settings_.bodies) active_.push_back(body.active);
  message_ = std::make_shared<const nlohmann::json>(
      scene_message(origin_, *asset_, asset_id_, world, edits_));
  const bool bounded = bounded_steps(head);
  simulation_ = std::make_unique<Simulation>(std::move(world), real_time && bounded);
}

bool OpenScene::post(const Command& command, bool& settings_changed) {
  if (!simulation_->post(command)) return false;
  settings_changed = settings_.follow(command, at_start_);
  if (command.kind == Command::Kind::active) {
    active_[static_cast<std::size_t>(command.body)] = command.index;
  }
  return true;
}

}  // namespace pliant::serve
