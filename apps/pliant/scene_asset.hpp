// SPDX-License-Identifier: MIT
// From the scene that a command names to the asset that it needs.
#pragma once

#include <filesystem>
#include <string>

#include "pliant/base/progress.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant::app {

// A folder given by the user, or the default one.
std::filesystem::path cache_folder(const std::string& given);
// Where the asset of a scene is written: `given`, or beside the scene.
std::filesystem::path asset_path(const std::string& scene, const std::string& given);
// The scene; with a tolerance above 0, that of all its reduced bodies.
Scene read_scene_with(const std::string& path, double tolerance);

// The asset itself if `what` is one (.pliant), else that of the scene `what`, baked if needed.
std::filesystem::path need_asset(const std::string& what, const std::string& cache,
                                 Progress& progress);

}  // namespace pliant::app
