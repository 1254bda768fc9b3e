// SPDX-License-Identifier: MIT
#include "pliant/scene/read_scene.hpp"

#include <algorithm>

#include "pliant/base/file.hpp"
#include "pliant/scene/check_scene.hpp"
#include "pliant/scene/tables.hpp"
#include "pliant/scene/toml.hpp"

namespace pliant {
namespace {

using namespace scene;
namespace fs = std::filesystem;

// Reads a file and all that it includes, laid over each other.
class Loader {
 public:
  Value load(std::string_view text, const std::string& name, const fs::path& folder) {
    const auto file = std::make_shared<File>(File{name, folder.string(), 1.0});
    Value own = parse_toml(text, file);
    Value header = take_header(own);
    FileHeader read;
    Reader reader;
    header_table().read(header, read, reader);
    file->units_per_metre = units_per_metre(read.units);
    if (read.include.empty()) return own;

    Value all{Object{}, own.source};
    for (std::size_t i = 0; i < read.include.size(); ++i) {
      merge(all, include(read.include[i], place_of(header, {"include", std::to_string(i)})));
    }
    merge(all, std::move(own));
    return all;
  }

  // `name`: as the user calls it.
  Value load_file(const fs::path& path, const std::string& name) {
    const MappedFile file(path);
    files_.push_back(path);
    open_.push_back(path);
    Value value = load(file.bytes(), name, path.parent_path());
    open_.pop_back();
    return value;
  }

  const std::vector<fs::path>& files() const { return files_; }

 private:
  // The keys that say how the file is read, taken out of its tree.
  static Value take_header(Value& own) {
    Object& object = std::get<Object>(own.data);
    Value header{Object{}, own.source};
    for (const auto& field : header_table().fields()) {
      const auto it = object.find(field.info.name);
      if (it == object.end()) continue;
      std::get<Object>(header.data).insert(object.extract(it));
    }
    return header;
  }

  Value include(const fs::path& path, const Place& place) {
    // The same file by another name is the same file.
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) throw Error(place, "cannot find the file: " + error.message(), path.string());
    if (std::ranges::find(open_, real) != open_.end()) {
      throw Error(place, "the file includes itself, directly or by others", path.string());
    }
    if (open_.size() >= max_include_depth) {
      throw Error(place, "files include each other too deeply", path.string(),
                  "at most " + std::to_string(max_include_depth) + " levels");
    }
    if (files_.size() >= max_scene_files) {
      throw Error(place, "too many included files", "",
                  "at most " + std::to_string(max_scene_files));
    }
    return load_file(real, path.lexically_proximate(fs::current_path(error)).string());
  }

  std::vector<fs::path> files_;
  std::vector<fs::path> open_;  // that are being read, from the scene to the innermost
};

Scene scene_of(const Value& root, const std::vector<fs::path>& files) {
  Scene scene;
  Reader reader;
  scene_table().read(root, scene, reader);
  check_scene(scene, root);
  scene.files = files;
  return scene;
}

}  // namespace

Scene read_scene(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  Loader loader;
  const Value root = loader.load_file(error ? path : real, path.string());
  return scene_of(root, loader.files());
}

Scene parse_scene(std::string_view text, const std::string& name, const fs::path& folder) {
  Loader loader;
  const Value root = loader.load(text, name, folder);
  return scene_of(root, loader.files());
}

}  // namespace pliant
