// SPDX-License-Identifier: MIT
#include "pliant/serve/gallery.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/scene/read_scene.hpp"

namespace pliant::serve {
namespace {

namespace fs = std::filesystem;

struct PictureType {
  const char *ending, *type;
};
constexpr PictureType picture_types[] = {{".png", "image/png"},
                                         {".jpg", "image/jpeg"},
                                         {".webp", "image/webp"},
                                         {".svg", "image/svg+xml"}};

std::optional<fs::path> picture_of(const fs::path& scene, const fs::path& pictures) {
  for (const fs::path& folder : {scene.parent_path(), pictures}) {
    if (folder.empty()) continue;
    for (const PictureType& type : picture_types) {
      const fs::path picture = folder / (scene.stem().string() + type.ending);
      std::error_code ignored;
      if (fs::is_regular_file(picture, ignored)) return picture;
    }
  }
  return std::nullopt;
}

GalleryEntry entry_of(const fs::path& path, const fs::path& pictures) {
  GalleryEntry entry{path.stem().string(), path.stem().string(), "", path, {}};
  entry.picture = picture_of(path, pictures);
  try {
    const Scene scene = read_scene(path);
    if (!scene.title.empty()) entry.title = scene.title;
    entry.description = scene.description;
  } catch (const Error& error) {
    entry.description = error.what();
  }
  return entry;
}

}  // namespace

Gallery::Gallery(const fs::path& folder, const fs::path& pictures) {
  if (folder.empty()) return;
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(folder, ignored)) {
    if (item.path().extension() == ".toml") entries_.push_back(entry_of(item.path(), pictures));
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const GalleryEntry& a, const GalleryEntry& b) { return a.id < b.id; });
}

const GalleryEntry* Gallery::find(const std::string& id) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const GalleryEntry& entry) { return entry.id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

nlohmann::json Gallery::message() const {
  nlohmann::json scenes = nlohmann::json::array();
  for (const GalleryEntry& entry : entries_) {
    scenes.push_back({{"id", entry.id},
                      {"title", entry.title},
                      {"description", entry.description},
                      {"picture", nullptr}});
    if (entry.picture) scenes.back()["picture"] = "/api/picture/" + entry.id;
  }
  return {{"scenes", scenes}};
}

const char* picture_type(const fs::path& picture) {
  for (const PictureType& type : picture_types) {
    if (picture.extension() == type.ending) return type.type;
  }
  return "application/octet-stream";
}

}  // namespace pliant::serve
