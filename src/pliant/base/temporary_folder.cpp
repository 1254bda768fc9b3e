// SPDX-License-Identifier: MIT
#include "pliant/base/temporary_folder.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

namespace fs = std::filesystem;

enum class Lock { ours, others, unknown };

// A folder that is open, if it is there, is ours and is not a link.
class OpenFolder {
 public:
  explicit OpenFolder(const fs::path& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)),
        problem_(descriptor_ < 0 && errno != ENOENT ? errno : 0) {}
  ~OpenFolder() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;

  // Unknown: the file system has no locks.
  Lock lock() const {
    if (descriptor_ < 0) return Lock::others;
    const bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK) return Lock::others;
    struct stat status {};
    const bool there = ::fstat(descriptor_, &status) == 0 && status.st_nlink > 0;
    if (!there || status.st_uid != ::geteuid()) return Lock::others;
    return locked ? Lock::ours : Lock::unknown;
  }
  // Why it could not be opened although it is there; 0: nothing.
  int problem() const { return problem_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_, problem_;
};

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& name) {
  const std::string pattern = (fs::temp_directory_path() / (name + "-XXXXXX")).string();
  // A sweep may take a new folder for one that was left: then there is another.
  constexpr int most_attempts = 100;
  for (int attempt = 0; lock_ < 0; ++attempt) {
    std::string path = pattern;
    if (::mkdtemp(path.data()) == nullptr) {
      throw Error({pattern, 0, ""}, std::string("cannot make the folder: ") + std::strerror(errno));
    }
    OpenFolder folder(path);
    if (folder.lock() != Lock::others) {
      path_ = path;
      lock_ = folder.release();
    } else if (attempt == most_attempts || folder.problem() != 0) {
      ::rmdir(path.c_str());
      throw Error({path, 0, ""},
                  std::string("cannot open the folder: ") + std::strerror(folder.problem()));
    }
  }
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
    const OpenFolder folder(entry.path());
    std::error_code ignored;
    if (folder.lock() == Lock::ours) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace pliant
