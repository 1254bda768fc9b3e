// SPDX-License-Identifier: MIT
// A fresh folder among the system's temporary files, removed with all that is in it.
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
};

}  // namespace pliant
