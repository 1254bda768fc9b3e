// SPDX-License-Identifier: MIT
// A tree of values that knows where in which file each of them was written. What a scene file says
// before anybody asks what it means. Internal.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pliant/base/error.hpp"

namespace pliant::table {

// A file that was read. Relative paths in it start at its folder.
struct File {
  std::string name;              // as errors call it
  std::string folder;            // empty: the working directory
  double units_per_metre = 1.0;  // of the lengths in it
};

struct Source {
  std::shared_ptr<const File> file;
  long line = 0, column = 0;
};

struct Value;
using List = std::vector<Value>;
struct Member;
using Object = std::map<std::string, Member, std::less<>>;
// What TOML has and no scene needs: dates and times.
struct Other {};

struct Value {
  std::variant<Other, bool, std::int64_t, double, std::string, List, Object> data;
  Source source;
};

struct Member {
  Value value;
  Source key;  // where its key was written
};

// Where the value of a key of this table was written; of the table, if it has no such key.
const Source& source_of(const Value& table, std::string_view key);

// "a number", "a list of 3", .. as an error names what it found.
std::string kind_of(const Value& value);
// What was found, as it could have been written, for errors; lists and tables by their kind.
std::string text_of(const Value& value);

// `over` laid over `under`: tables are merged key by key, anything else is replaced. A table whose
// `kind` differs replaces the other one whole, as the keys of another kind do not fit it.
void merge(Value& under, Value over);

// Where `path` ("body", "spoon", "fixed", "0", ..: keys, and positions in lists) was written, or
// the nearest that was above it; the item of the place is the path itself.
Place place_of(const Value& root, const std::vector<std::string>& path);

// "body.spoon.fixed[0]", printable.
std::string join(const std::vector<std::string>& path);

}  // namespace pliant::table
