// SPDX-License-Identifier: MIT
// A scene that is open: its asset, its world that runs, and the message that tells viewers of it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "pliant/base/tensor_file.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/serve/blob.hpp"
#include "pliant/serve/scratch_folder.hpp"
#include "pliant/serve/simulation.hpp"

namespace pliant::serve {

struct SceneOrigin {
  std::optional<std::string> id;           // in the gallery
  std::optional<Scene> scene;              // none: a ready asset was opened
  std::vector<BakeStepReport> steps = {};  // of its bake
  SceneFiles files = {};                   // there as long as the scene
};

class OpenScene {
 public:
  // Reads the asset and makes its world, which is not started yet. Throws Error.
  OpenScene(const std::filesystem::path& asset, SceneOrigin origin, bool real_time, int cpu = -1);

  const SceneOrigin& origin() const { return origin_; }
  const AssetHead& head() const { return simulation_->world().head(); }
  const TensorFile& asset() const { return *asset_; }
  std::shared_ptr<const TensorFile> shared_asset() const { return asset_; }
  const std::string& asset_id() const { return asset_id_; }  // hash of its content
  const Blob& asset_bytes() const { return asset_bytes_; }
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }
  const World& world() const { return simulation_->world(); }
  // Whether a sketch may give this body of the world another basis.
  bool can_sketch(int body) const;

  // Of each body the points that are drawn if it is dense, else null.
  const std::vector<const PointSet*>& dense_points() const { return dense_points_; }

  // The message `scene` but for its epoch.
  const nlohmann::json& message() const { return *message_; }

 private:
  SceneOrigin origin_;
  std::shared_ptr<const TensorFile> asset_;
  Blob asset_bytes_;
  std::string asset_id_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<const PointSet*> dense_points_;
  std::shared_ptr<const nlohmann::json> message_;
};

// A held body of a scene whose engine makes a basis from a sketch.
bool can_sketch(const SceneOrigin& origin, const AssetBody& body);

}  // namespace pliant::serve
