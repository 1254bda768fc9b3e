// SPDX-License-Identifier: MIT
#include "pliant/base/temporary_folder.hpp"

#include <stdlib.h>

#include "pliant/base/error.hpp"

namespace pliant {

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::string path = (std::filesystem::temp_directory_path() / (name + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr) throw Error({path, 0, ""}, "cannot make the folder");
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace pliant
