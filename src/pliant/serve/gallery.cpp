// SPDX-License-Identifier: MIT
#include "pliant/serve/gallery.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/scene/canonical.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/scene/write_scene.hpp"

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
  GalleryEntry entry{path.stem().string(), path.stem().string(), "", path, {}, false};
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

std::vector<GalleryEntry> entries_of(const fs::path& folder, const fs::path& pictures) {
  std::vector<GalleryEntry> entries;
  if (folder.empty()) return entries;
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(folder, ignored)) {
    if (item.path().extension() == ".toml") entries.push_back(entry_of(item.path(), pictures));
  }
  std::sort(entries.begin(), entries.end(),
            [](const GalleryEntry& a, const GalleryEntry& b) { return a.id < b.id; });
  return entries;
}

// The meshes of an id, but for those that are named.
void remove_meshes(const fs::path& own, const std::string& id, const std::vector<fs::path>& kept) {
  std::error_code ignored;
  std::vector<fs::path> old;
  for (const auto& item : fs::directory_iterator(own, ignored)) {
    const std::string name = item.path().filename().string();
    const bool mesh = item.path().extension() == ".obj" || item.path().extension() == ".vtu";
    const bool needed = std::ranges::any_of(
        kept, [&](const fs::path& file) { return file.filename() == item.path().filename(); });
    if (mesh && name.starts_with(id + "-") && !needed) old.push_back(item.path());
  }
  for (const fs::path& path : old) fs::remove(path, ignored);
}

void write_file(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace

Gallery::Gallery(const fs::path& folder, const fs::path& pictures, const fs::path& own)
    : entries_(entries_of(folder, pictures)) {
  for (GalleryEntry& entry : entries_of(own, {})) {
    if (find(entry.id) != nullptr) continue;  // a folder is listed once
    entry.own = true;
    entries_.push_back(std::move(entry));
  }
}

std::string own_scene_id(const std::string& name, const std::string& mesh) {
  constexpr std::size_t longest = 40;
  std::string id = "own-";
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    if (id.size() < longest) id += plain || small != c ? small : '-';
  }
  return id + "-" + mesh.substr(0, 8);
}

void keep_scene(const fs::path& own, const std::string& id, const Scene& scene) {
  write_file(own / (id + ".toml"), scene_text(scene));
  std::error_code ignored;
  fs::remove(own / (id + ".jpg"), ignored);  // of an earlier one
  remove_meshes(own, id, input_files(scene));
}

void forget_meshes(const fs::path& own, const std::string& id) {
  std::vector<fs::path> kept;
  const fs::path path = own / (id + ".toml");
  if (fs::exists(path)) {
    try {
      kept = input_files(read_scene(path));
    } catch (const Error&) {  // whoever wrote it may want the meshes
      return;
    }
  }
  remove_meshes(own, id, kept);
}

void forget_scene(const fs::path& own, const std::string& id) {
  std::error_code ignored;
  for (const char* ending : {".toml", ".jpg"}) fs::remove(own / (id + ending), ignored);
  remove_meshes(own, id, {});
}

void keep_picture(const fs::path& own, const std::string& id, std::string_view bytes) {
  if (!bytes.starts_with("\xff\xd8\xff")) throw Error({id, 0, ""}, "the picture is no JPEG");
  write_file(own / (id + ".jpg"), bytes);
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
                      {"own", entry.own},
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
