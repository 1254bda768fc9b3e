// SPDX-License-Identifier: MIT
// Files as a whole: a read-only memory map, and a writer whose file appears complete or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

// The bytes of a file, mapped. Throws Error if it cannot be opened or is not a regular file.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

// Writes to a temporary file beside `path`; commit() flushes it and its folder to the disk and renames
// it. Without commit(), or after an error (a full disk included), the temporary is removed and `path`
// is as it was. A symbolic link is followed. What is not a regular file (/dev/null, a pipe) stays
// what it is and is written to as it comes.
//
// While it is written, the temporary file is locked (flock): what nobody has locked was left behind
// by a process that was killed.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

 private:
  void open_temporary();

  std::filesystem::path path_, temporary_;  // no temporary: `path` is not a regular file
  std::FILE* file_ = nullptr;
};

// Throws Error if an AtomicFile could not be written to `path`; nothing is left behind.
void require_writable(const std::filesystem::path& path);

// Removes the temporary file of an AtomicFile whose process was killed; of a living one it stays.
void remove_if_abandoned(const std::filesystem::path& temporary) noexcept;

}  // namespace pliant
