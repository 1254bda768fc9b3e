// SPDX-License-Identifier: MIT
#include "pliant/base/temporary_folder.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// The folder, opened and locked; -1: it is not ours, somebody has it, or it was just removed.
int lock_folder(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat status {};
  if (::flock(folder, LOCK_EX | LOCK_NB) == 0 && ::fstat(folder, &status) == 0 &&
      status.st_nlink > 0 && status.st_uid == ::geteuid()) {
    return folder;
  }
  ::close(folder);
  return -1;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& name) {
  const std::string pattern = (fs::temp_directory_path() / (name + "-XXXXXX")).string();
  // A sweep may take the new folder for one that was left: then there is another.
  for (int attempt = 0; attempt < 100 && lock_ < 0; ++attempt) {
    std::string path = pattern;
    if (::mkdtemp(path.data()) == nullptr) {
      throw Error({pattern, 0, ""}, std::string("cannot make the folder: ") + std::strerror(errno));
    }
    path_ = path;
    lock_ = lock_folder(path_);
  }
  if (lock_ < 0) throw Error({pattern, 0, ""}, "cannot lock the folder");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  ::close(lock_);
}

void sweep_temporary_folders(const std::string& name) {
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::temp_directory_path(), error)) {
    if (!entry.path().filename().string().starts_with(name + "-")) continue;
    const int folder = lock_folder(entry.path());
    if (folder < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry.path(), ignored);
    ::close(folder);
  }
}

}  // namespace pliant
