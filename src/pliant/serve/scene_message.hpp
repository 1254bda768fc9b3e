// SPDX-License-Identifier: MIT
// The message `scene` of docs/protocol.md, from an asset and its world.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "pliant/reduced/reduced_model.hpp"
#include "pliant/serve/open_scene.hpp"

namespace pliant::serve {

// Vibrations about rest within the basis: K(0) c = omega^2 M c, ascending, |c| = 1.
struct RestModes {
  VectorXd frequencies;  // Hz; 0 where the stiffness is not positive
  MatrixXd c;            // a column each
};
RestModes rest_modes(const ReducedModel& model);

BodyEdits edits_of(const AssetBody& body, const ReducedModel* model, bool scene_is_known);
Settings settings_of(const AssetHead& head, const World& world);
nlohmann::json scene_message(const SceneOrigin& origin, const TensorFile& asset,
                             const std::string& asset_id, const World& world,
                             const std::vector<BodyEdits>& edits);

}  // namespace pliant::serve
