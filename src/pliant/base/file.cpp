// SPDX-License-Identifier: MIT
#include "pliant/base/file.hpp"

#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  throw Error({path.string(), 0, ""}, std::string(what) + ": " + std::strerror(error));
}

constexpr int most_links = 40;

// Where a file of this path is: at the end of symbolic links, even of one that leads nowhere yet.
fs::path without_links(fs::path path) {
  std::error_code code;
  for (int i = 0; i < most_links && fs::is_symlink(path, code); ++i) {
    const fs::path target = fs::read_symlink(path, code);
    if (code) break;
    path = path.parent_path() / target;  // which an absolute target replaces
  }
  return path;
}

struct Destination {
  fs::path path;        // without links
  bool regular = true;  // or not there yet
  mode_t rights = 0;    // of the file that is there; 0: none is
};

Destination destination_of(const fs::path& path) {
  struct stat status {};
  if (path.filename().empty()) {
    throw Error({path.string(), 0, ""}, "a folder cannot be written to", "", "a file in it");
  }
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(path, "cannot create the file", errno);
    return {without_links(path)};
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error({path.string(), 0, ""}, "a folder cannot be written to", "", "a file in it");
  }
  if (!S_ISREG(status.st_mode)) return {path, false};
  return {without_links(path), true, status.st_mode & 0777u};
}

std::string random_ending() {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  thread_local std::random_device source;
  std::string ending = ".";
  for (int i = 0; i < 6; ++i) ending += letters[source() % letters.size()];
  return ending;
}

// So that a rename outlives a power cut; not all file systems can do it.
void sync_folder(const fs::path& of) {
  const fs::path folder = of.has_parent_path() ? of.parent_path() : fs::path(".");
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Non-blocking: a named pipe must be refused, not waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(path, "cannot open the file", errno);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw Error({path.string(), 0, ""}, "not a regular file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* map = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int error = errno;
    if (map == MAP_FAILED) {
      ::close(descriptor);
      fail(path, "cannot map the file", error);
    }
    data_ = static_cast<const char*>(map);
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<char*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

AtomicFile::AtomicFile(std::filesystem::path path) {
  const Destination destination = destination_of(path);
  path_ = destination.path;
  if (!destination.regular) {
    // Non-blocking: a pipe that nobody reads must be refused, not waited for.
    const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0) fail(path_, "cannot write to it", errno);
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    file_ = ::fdopen(descriptor, "wb");
    return;
  }
  open_temporary();
  if (destination.rights != 0) ::fchmod(::fileno(file_), destination.rights);
}

// Not by mkstemp(): its files are the owner's alone, and to give them the usual rights one would have
// to ask for the umask, which sets it, for all threads.
void AtomicFile::open_temporary() {
  for (;;) {
    temporary_ = path_.string() + random_ending();
    const int descriptor = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      if (errno == EEXIST) continue;
      fail(path_, "cannot create the file", errno);
    }
    ::flock(descriptor, LOCK_EX);
    struct stat status {};
    ::fstat(descriptor, &status);
    if (status.st_nlink > 0) {
      file_ = ::fdopen(descriptor, "wb");
      return;
    }
    ::close(descriptor);  // taken for abandoned before it was locked
  }
}

AtomicFile::~AtomicFile() {
  if (!file_) return;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  std::fclose(file_);
}

void AtomicFile::write(const void* data, std::size_t size) {
  if (size > 0 && std::fwrite(data, 1, size, file_) != size) {
    fail(path_, "cannot write the file", errno);
  }
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0) fail(path_, "cannot write the file", errno);
  if (!temporary_.empty()) {
    if (::fsync(::fileno(file_)) != 0) fail(path_, "cannot write the file", errno);
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
      fail(path_, "cannot rename the finished file", errno);
    }
    sync_folder(path_);
  }
  std::fclose(std::exchange(file_, nullptr));
}

void require_writable(const std::filesystem::path& path) {
  const Destination destination = destination_of(path);
  if (destination.regular) {
    const AtomicFile trial(path);
  } else if (::access(path.c_str(), W_OK) != 0) {
    fail(path, "cannot write to it", errno);
  }
}

void remove_if_abandoned(const std::filesystem::path& temporary) noexcept {
  const int descriptor = ::open(temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(temporary.c_str());
  ::close(descriptor);
}

}  // namespace pliant
