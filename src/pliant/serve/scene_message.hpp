// SPDX-License-Identifier: MIT
// The message `scene` of docs/protocol.md, from an asset and its world.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pliant/serve/open_scene.hpp"

namespace pliant::serve {

nlohmann::json scene_message(const SceneOrigin& origin, const TensorFile& asset,
                             const std::string& asset_id, World& world);

}  // namespace pliant::serve
