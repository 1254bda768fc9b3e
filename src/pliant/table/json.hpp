// SPDX-License-Identifier: MIT
// JSON as values with places, and back.
#pragma once

#include <memory>
#include <string_view>

#include "pliant/table/codec.hpp"

namespace pliant::table {

// `file`: what errors call it. Throws Error: not JSON, nested deeper than 64, a number that no
// double holds.
Value parse_json(std::string_view text, std::shared_ptr<const File> file);
Value value_of(const Json& json, const Source& source);
Json json_of(const Value& value);

// As one line that depends on what it says alone.
std::string json_text(const Json& json);

}  // namespace pliant::table
