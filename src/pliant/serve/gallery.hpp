// SPDX-License-Identifier: MIT
// The scenes that a user can choose from: the scene files of a folder, each with a picture if there
// is one of its name (SCENE.png, .jpg, .webp or .svg) beside it or in a folder of pictures; and those
// that were made of the user's own meshes, in a folder that keeps them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "pliant/scene/scene.hpp"

namespace pliant::serve {

struct GalleryEntry {
  std::string id;  // the file's name without ending
  std::string title, description;
  std::filesystem::path scene;
  std::optional<std::filesystem::path> picture;
  bool own = false;  // of a mesh of the user's
};

class Gallery {
 public:
  Gallery() = default;
  // A file that cannot be read is listed with what is wrong with it. An empty folder name: none.
  Gallery(const std::filesystem::path& folder, const std::filesystem::path& pictures,
          const std::filesystem::path& own = {});

  const std::vector<GalleryEntry>& entries() const { return entries_; }
  const GalleryEntry* find(const std::string& id) const;
  nlohmann::json message() const;  // the answer to GET /api/scenes

 private:
  std::vector<GalleryEntry> entries_;
};

// What a scene of a mesh of this name and hash is called in the folder of own meshes.
std::string own_scene_id(const std::string& name, const std::string& mesh);
// Writes the scene of this id, whose meshes are there already, and removes those that an earlier one
// of the id had. Throws Error: it cannot be written.
void keep_scene(const std::filesystem::path& own, const std::string& id, const Scene& scene);
// Removes the meshes of the id that no kept scene needs.
void forget_meshes(const std::filesystem::path& own, const std::string& id);
// Removes the scene of this id with its meshes and its picture.
void forget_scene(const std::filesystem::path& own, const std::string& id);
// Of an own scene: a JPEG. Throws Error: it is none, or cannot be written.
void keep_picture(const std::filesystem::path& own, const std::string& id, std::string_view bytes);

// The type of a picture by its ending.
const char* picture_type(const std::filesystem::path& picture);

}  // namespace pliant::serve
