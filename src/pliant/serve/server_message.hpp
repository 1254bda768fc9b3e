// SPDX-License-Identifier: MIT
// The other text messages of docs/protocol.md that a server sends; `scene` is in scene_message.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "pliant/serve/bake_job.hpp"
#include "pliant/serve/client_message.hpp"
#include "pliant/world/world.hpp"

namespace pliant::serve {

// Presets for a dropped mesh, and the engines that it can have; the first of each is the default.
const std::vector<MaterialPreset>& material_presets();

// `file`: name of a mesh that waits to be prepared; empty: none.
std::string hello_message(int client, const std::string& file);
// What can be changed, as the world has it.
std::string settings_message(std::uint32_t epoch, const WorldState& state, const World& world);
std::string steering_message(bool you, std::optional<int> client, std::size_t viewers);
std::string bake_message(int job, const std::string& title, const JobStatus& status);
// `about`: type of the command; empty: none.
std::string error_message(const std::string& code, const std::string& message,
                          const std::string& advice, const std::string& about);
// Of a value that may hold bytes which are no UTF-8.
std::string text_of(const nlohmann::json& json);

}  // namespace pliant::serve
