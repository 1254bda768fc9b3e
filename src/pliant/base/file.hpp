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

// Writes to a temporary file beside `path`; commit() flushes it to the disk and renames it. Without
// commit(), or after an error (a full disk included), the temporary is removed and `path` is as it
// was.
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
  std::filesystem::path path_, temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace pliant
