// SPDX-License-Identifier: MIT
// The scenes that a user can choose from: the scene files of a folder, each with a picture if there
// is one of its name (SCENE.png, .jpg, .webp or .svg) beside it or in a folder of pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace pliant::serve {

struct GalleryEntry {
  std::string id;  // the file's name without ending
  std::string title, description;
  std::filesystem::path scene;
  std::optional<std::filesystem::path> picture;
};

class Gallery {
 public:
  Gallery() = default;
  // A file that cannot be read is listed with what is wrong with it. An empty folder name: none.
  Gallery(const std::filesystem::path& folder, const std::filesystem::path& pictures);

  const std::vector<GalleryEntry>& entries() const { return entries_; }
  const GalleryEntry* find(const std::string& id) const;
  nlohmann::json message() const;  // the answer to GET /api/scenes

 private:
  std::vector<GalleryEntry> entries_;
};

// The type of a picture by its ending.
const char* picture_type(const std::filesystem::path& picture);

}  // namespace pliant::serve
