// SPDX-License-Identifier: MIT
// A fresh folder among the system's temporary files, removed with all that is in it. It is locked as
// long as its process lives: what a killed one has left is known by that, and can be swept away.
#pragma once

#include <filesystem>
#include <string>

namespace pliant {

class TemporaryFolder {
 public:
  // `name`: how it begins. Throws Error if it cannot be made.
  explicit TemporaryFolder(const std::string& name = "pliant");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // descriptor of the folder
};

// Removes the folders of this user that begin like `name` and whose process is gone.
void sweep_temporary_folders(const std::string& name);

}  // namespace pliant
