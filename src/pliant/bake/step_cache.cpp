// SPDX-License-Identifier: MIT
#include "pliant/bake/step_cache.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/base/timer.hpp"

namespace pliant {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* extension = ".tensors";
constexpr const char* key_key = "key";  // in the metadata of an entry

// An advisory lock that dies with its process. Keys share 256 lock files, which stay; a process
// holds one lock a step and asks for no other meanwhile, so that there is no deadlock. A lock file
// is opened for reading alone: it may belong to another user.
class KeyLock {
 public:
  KeyLock(const fs::path& folder, const std::string& key, const Progress& progress) {
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
      throw Error({folder.string(), 0, ""},
                  "a step is not in this cache, and nothing can be written to it",
                  std::strerror(errno), "a folder of one's own, by --cache FOLDER");
    }
    const fs::path path = folder / (key.substr(0, 2) + ".lock");
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) descriptor_ = ::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw Error({path.string(), 0, ""}, fmt::format("cannot lock: {}", std::strerror(errno)));
    }
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) break;  // no locks on this file system: go on
      if (progress.cancelled()) {
        ::close(descriptor_);
        throw Cancelled();
      }
      std::this_thread::sleep_for(20ms);
    }
  }
  ~KeyLock() { ::close(descriptor_); }
  KeyLock(const KeyLock&) = delete;
  KeyLock& operator=(const KeyLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

fs::path StepCache::default_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) {
    return fs::path(cache) / "pliant";
  }
  if (const char* home = std::getenv("HOME"); home && *home) {
    return fs::path(home) / ".cache" / "pliant";
  }
  throw Error("neither XDG_CACHE_HOME nor HOME is set: say where with --cache FOLDER");
}

StepCache::StepCache(fs::path folder) : folder_(std::move(folder)) {
  std::error_code code;
  fs::create_directories(folder_, code);
  if (code || ::access(folder_.c_str(), R_OK | X_OK) != 0) {
    throw Error({folder_.string(), 0, ""}, "cannot use this folder for the cache",
                code ? code.message() : std::strerror(errno), "a folder that can be written to");
  }
  for (const auto& entry : fs::directory_iterator(folder_, code)) {
    const std::string name = entry.path().filename().string();
    const bool temporary = name.find(std::string(extension) + ".") != std::string::npos;
    if (temporary) remove_if_abandoned(entry.path());
  }
}

fs::path StepCache::path_of(const std::string& key) const {
  return folder_ / (key + extension);
}

std::optional<TensorFile> StepCache::find(const std::string& key) const {
  const fs::path path = path_of(key);
  std::error_code code;
  if (!fs::exists(path, code)) return std::nullopt;
  try {
    TensorFile file(path);
    if (file.has_hashes() && file.need_metadata(key_key) == key) {
      fs::last_write_time(path, fs::file_time_type::clock::now(), code);  // for trim()
      return file;
    }
  } catch (const Error&) {
    // Damaged, or not an entry: as good as none.
  }
  fs::remove(path, code);
  return std::nullopt;
}

StepCache::Entry StepCache::find_or_make(const std::string& key,
                                         const std::function<void(TensorWriter&)>& make,
                                         const Progress& progress) const {
  if (auto found = find(key)) return {std::move(*found), false};
  const KeyLock lock(folder_, key, progress);
  if (auto found = find(key)) return {std::move(*found), false};
  const Timer timer;
  TensorWriter writer;
  make(writer);
  writer.set("seconds", fmt::format("{:.3f}", timer.seconds()));
  writer.set(key_key, key);
  writer.write(path_of(key));
  return {TensorFile(path_of(key)), true};
}

void StepCache::trim(std::uintmax_t bytes) const {
  struct File {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<File> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder_, code)) {
    if (entry.path().extension() != extension) continue;
    const auto size = entry.file_size(code);
    if (!code) files.push_back({entry.last_write_time(code), size, entry.path()});
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used > b.used; });
  std::uintmax_t kept = 0;
  for (const File& file : files) {
    kept += file.size;
    if (kept > bytes) fs::remove(file.path, code);
  }
}

}  // namespace pliant
