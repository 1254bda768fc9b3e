// SPDX-License-Identifier: MIT
// Paths as values of a file: relative to the file that says them, and checked.
#pragma once

#include <filesystem>

#include "pliant/table/codec.hpp"

namespace pliant::table {

template <>
struct Codec<std::filesystem::path> {
  static constexpr KeyType type = KeyType::file;
  static std::filesystem::path read(const Value& value, const KeyInfo& key, Reader& reader);
  // Where the file lies does not matter: what is in it does.
  static Json write(const std::filesystem::path& v);
};
template <>
inline constexpr KeyType type_of_list<std::filesystem::path> = KeyType::files;

}  // namespace pliant::table
