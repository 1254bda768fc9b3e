// SPDX-License-Identifier: MIT
// A scene file (TOML, docs/scene.md) to a Scene. Errors name file, line, column and key, what was
// found and what is allowed; of a name that is not known, the nearest that is. What can be known
// without a mesh is checked here: references, files, limits, what does not go together.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/scene/scene.hpp"

namespace pliant {

// Files of one scene, and how deep they may include each other.
inline constexpr int max_scene_files = 64;
inline constexpr int max_include_depth = 16;

// Throws Error.
Scene read_scene(const std::filesystem::path& path);

// The same from text. `name`: how errors call it; `folder`: where its relative paths start.
Scene parse_scene(std::string_view text, const std::string& name,
                  const std::filesystem::path& folder);

}  // namespace pliant
