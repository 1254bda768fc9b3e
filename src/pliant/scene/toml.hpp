// SPDX-License-Identifier: MIT
// TOML to values with places. The only user of toml++. Internal.
#pragma once

#include <string_view>

#include "pliant/table/value.hpp"

namespace pliant::scene {

using namespace table;

// No scene comes near: what is larger or deeper is refused before it costs memory or stack.
inline constexpr std::size_t most_bytes = 1 << 20;  // of one file
inline constexpr int most_key_parts = 16;           // a.b.c: 3
inline constexpr int most_nesting = 16;             // [[[ and {{{

// The tree of a file's text, an Object. Throws Error with line and column.
Value parse_toml(std::string_view text, std::shared_ptr<const File> file);

}  // namespace pliant::scene
