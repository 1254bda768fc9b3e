// SPDX-License-Identifier: MIT
// A scene that is open: its asset, its world that runs, what can be changed, and the message that
// tells viewers of it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "pliant/asset/asset_head.hpp"
#include "pliant/serve/blob.hpp"
#include "pliant/serve/settings.hpp"
#include "pliant/serve/simulation.hpp"

namespace pliant::serve {

// What a user may change of a body while it runs.
struct BodyEdits {
  bool material = false, damping = false, active = false, linear = false, sketch = false;
};

struct SceneOrigin {
  std::optional<std::string> id;           // in the gallery
  std::optional<Scene> scene;              // none: a ready asset was opened
  std::vector<BakeStepReport> steps = {};  // of its bake
};

class OpenScene {
 public:
  // Reads the asset and makes its world, which is not started yet. Throws Error.
  OpenScene(const std::filesystem::path& asset, SceneOrigin origin, bool real_time);

  const SceneOrigin& origin() const { return origin_; }
  const AssetHead& head() const { return simulation_->world().head(); }
  const TensorFile& asset() const { return *asset_; }
  std::shared_ptr<const TensorFile> shared_asset() const { return asset_; }
  const std::string& asset_id() const { return asset_id_; }  // hash of its content
  const Blob& asset_bytes() const { return asset_bytes_; }
  const std::vector<BodyEdits>& edits() const { return edits_; }
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }

  // Gives the command to the world and follows it; false: too many are waiting.
  bool post(const Command& command, bool& settings_changed);
  const Settings& settings() const { return settings_; }
  const std::vector<int>& active() const { return active_; }  // of each body

  // The message `scene` but for its epoch.
  const nlohmann::json& message() const { return *message_; }

 private:
  SceneOrigin origin_;
  std::shared_ptr<const TensorFile> asset_;
  Blob asset_bytes_;
  std::string asset_id_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<BodyEdits> edits_;
  Settings settings_, at_start_;
  std::vector<int> active_;
  std::shared_ptr<const nlohmann::json> message_;
};

}  // namespace pliant::serve
