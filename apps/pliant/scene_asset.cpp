// SPDX-License-Identifier: MIT
#include "scene_asset.hpp"

#include "pliant/bake/bake.hpp"
#include "pliant/base/file.hpp"
#include "pliant/scene/read_scene.hpp"

namespace pliant::app {

std::filesystem::path cache_folder(const std::string& given) {
  return given.empty() ? StepCache::default_folder() : std::filesystem::path(given);
}

std::filesystem::path asset_path(const std::string& scene, const std::string& given) {
  if (!given.empty()) return given;
  return std::filesystem::path(scene).replace_extension(".pliant");
}

Scene read_scene_with(const std::string& path, double tolerance) {
  Scene scene = read_scene(path);
  if (tolerance > 0) {
    for (BodySpec& body : scene.bodies) {
      if (auto* reduced = std::get_if<ReducedSpec>(&body.engine)) reduced->tolerance = tolerance;
    }
  }
  return scene;
}

std::filesystem::path need_asset(const std::string& what, const std::string& cache,
                                 Progress& progress) {
  if (std::filesystem::path(what).extension() == ".pliant") return what;
  const std::filesystem::path out = asset_path(what, "");
  require_writable(out);
  SceneBake(read_scene(what), Figures::if_known)
      .bake(StepCache(cache_folder(cache)), out, progress);
  return out;
}

}  // namespace pliant::app
