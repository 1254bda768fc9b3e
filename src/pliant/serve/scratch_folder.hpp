// SPDX-License-Identifier: MIT
// A folder for the files of one scene or one upload, removed with all that is in it.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>

namespace pliant::serve {

class ScratchFolder {
 public:
  // It is not there before make(), which may throw.
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  void make() const { std::filesystem::create_directories(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// What a scene refers to: its own files, and those of the scene that it was sketched on.
struct SceneFiles {
  std::shared_ptr<const ScratchFolder> own, before = {};
};

}  // namespace pliant::serve
