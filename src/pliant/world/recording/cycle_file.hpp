// SPDX-License-Identifier: MIT
// A file of cycles (cycle_rows.hpp): a tensor file whose head has a fixed length and counts the rows.
// The metadata say of which world it is, and what device and settings moved the hand.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "pliant/base/file.hpp"
#include "pliant/world/recording/cycle_rows.hpp"
#include "pliant/world/world.hpp"

namespace pliant {

inline constexpr std::size_t cycle_head_size = 8192;  // with the eight bytes of its length

// As JSON.
std::string cycle_metadata(const World& world);
std::string cycle_head(const std::string& metadata, std::int64_t rows);

struct RecordedDevice {
  DeviceFacts facts;
  DeviceLinkSpec link;
};

class CycleFile {
 public:
  // Throws Error: it is none, or not sound.
  explicit CycleFile(const std::filesystem::path& path);

  std::int64_t size() const { return rows_; }
  std::span<const double> row(std::int64_t index) const {
    constexpr std::size_t n = cycle_columns.size();
    return {data_ + static_cast<std::size_t>(index) * n, n};
  }
  const std::optional<RecordedDevice>& device() const { return device_; }
  double rate() const { return rate_; }                // cycles a second
  const std::string& scene() const { return scene_; }  // hash of the scene, as its world has it
  const std::string& name() const { return name_; }

 private:
  std::string name_, scene_;
  MappedFile file_;
  const double* data_ = nullptr;
  std::int64_t rows_ = 0;
  double rate_ = 0.0;
  std::optional<RecordedDevice> device_;
};

// Whether a file is one, by what it says of itself.
bool is_cycle_file(const std::filesystem::path& path);
// Of the scene that a world is of.
std::string scene_hash(const World& world);

}  // namespace pliant
