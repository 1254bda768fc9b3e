// SPDX-License-Identifier: MIT
// A scene that a row or an experiment writes as text, baked with the user's cache and made a world.
#pragma once

#include <string>

#include "pliant/bake/bake.hpp"
#include "pliant/base/temporary_folder.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/world/desktop.hpp"

namespace pliant::bench {

class SceneWorld {
 public:
  explicit SceneWorld(const std::string& text) : SceneWorld(parse_scene(text, "scene.toml", ".")) {}
  explicit SceneWorld(const Scene& scene, const WorldOptions& options = desktop_options())
      : asset_(baked(scene, folder_ / "scene.pliant")), world_(asset_, options) {}

  World& operator*() { return world_; }
  World* operator->() { return &world_; }
  const TensorFile& asset() const { return asset_; }

  // The hand is to take the held body's frame there.
  void hand_to(const Pose& frame) noexcept {
    const Eigen::Quaterniond& q = frame.rotation;
    world_.apply(command::Handle{frame.position, {q.w(), q.x(), q.y(), q.z()}});
  }
  const Hold& hold() const { return world_.data().hold; }
  const Pose& held() const { return world_.body(hold().body).motion.pose; }

 private:
  static std::filesystem::path baked(const Scene& scene, const std::filesystem::path& file) {
    SceneBake(scene, Figures::if_known).bake(StepCache(StepCache::default_folder()), file);
    return file;
  }

  TemporaryFolder folder_{"pliant-rows"};
  TensorFile asset_;
  World world_;
};

}  // namespace pliant::bench
