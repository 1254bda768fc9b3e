// SPDX-License-Identifier: MIT
#include "pliant/serve/open_scene.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/devices/hardware.hpp"
#include "pliant/serve/scene_message.hpp"
#include "pliant/world/desktop.hpp"

namespace pliant::serve {
namespace {

// A step that takes as long as it takes would starve all else on the machine with real-time
// priority; one by a worker does not hold the loop.
bool bounded_steps(const World& world) {
  return std::ranges::all_of(world.data().models, [](const BodyModel& model) {
    return model.ops->facts.bounded || model.divider > 1;
  });
}

void check_size(const World& world) {
  for (const BodyModel& model : world.data().models) {
    const auto points = static_cast<int>(model.surface.point_count());
    if (!model.ops->facts.dense || points <= most_dense_points) continue;
    throw Error({"", 0, "body " + model.name}, "too many points of a dense body to be shown",
                std::to_string(points), fmt::format("at most {}", most_dense_points));
  }
}

}  // namespace

bool can_sketch(const SceneOrigin& origin, const AssetBody& body) {
  if (!origin.scene || body.free) return false;
  const auto spec = std::ranges::find_if(origin.scene->bodies,
                                         [&](const BodySpec& b) { return b.name == body.name; });
  if (spec == origin.scene->bodies.end()) return false;
  EngineSpec engine = spec->engine;
  return take_sketch(engine, "sketch", 1);
}

OpenScene::OpenScene(const std::filesystem::path& path, SceneOrigin origin, bool real_time, int cpu)
    : origin_(std::move(origin)), asset_(std::make_shared<const TensorFile>(path)) {
  const auto file = std::make_shared<const MappedFile>(path);
  asset_bytes_ = {file, file->bytes()};
  asset_id_ = Hasher().add(file->bytes()).hex();
  World world(*asset_, real_time_options());
  check_size(world);
  devices::attach_hardware(world);
  message_ =
      std::make_shared<const nlohmann::json>(scene_message(origin_, *asset_, asset_id_, world));
  const bool bounded = bounded_steps(world);
  simulation_ = std::make_unique<Simulation>(std::move(world), real_time && bounded, cpu);
  for (int b = 0; b < simulation_->world().body_count(); ++b) {
    const BodyModel& model = simulation_->world().model(b);
    dense_points_.push_back(model.ops->facts.dense ? &model.surface : nullptr);
  }
}

bool OpenScene::can_sketch(int body) const {
  return body >= 0 && body < world().body_count() &&
         serve::can_sketch(origin_, world().asset_body(body));
}

}  // namespace pliant::serve
