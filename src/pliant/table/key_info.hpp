// SPDX-License-Identifier: MIT
// What a key of a table is called, what it may be, what it is by default and what it means: the rows
// that a Table<T> (table.hpp) is made of, and the sections of its documentation.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class KeyType {
  truth,         // true or false
  whole,         // whole number
  number,        // number
  text,          // text
  option,        // one of a few words
  options,       // list of some of a few words
  name,          // text that names something else in the scene
  file,          // path of a file that is there, relative to the file that says it
  files,         // list of them
  output_file,   // path of a file to be written
  vector,        // list of 3 numbers
  vectors,       // list of them
  numbers,       // list of numbers
  wholes,        // list of whole numbers
  colour,        // "#rrggbb"
  rotation,      // quaternion [w, x, y, z] or { axis = [x, y, z], degrees = number }
  parameters,    // table of names and numbers
  table,         // a section of its own
  named_tables,  // tables with names of the user's
  tables,        // list of tables
};
const char* name_of(KeyType type);

// A key as the source writes it: literals alone. Hundreds of these are made, so none of them may be
// something that has to be taken apart again, which is slow to compile.
struct Key {
  const char* name;
  KeyType type = KeyType::number;
  // "" for none. "m": a length, in the units of the file; all other units are SI.
  const char* unit = "";
  // Of a number, in SI; both included, unless `above`: then `least` is not.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;
  bool required = false;
  const char* default_text = "";  // as in a file, or in words; empty if required
  const char* description = "";   // one sentence
};

// A key as it is read and documented.
struct KeyInfo {
  std::string name;
  KeyType type = KeyType::number;
  std::string unit = "";
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;
  std::vector<std::string> options = {};  // that a word may be
  bool required = false;
  std::string default_text = "";
  std::string description = "";

  bool is_length() const { return unit == "m"; }
};
KeyInfo info_of(const Key& key);
// "a number > 0", "one of modes, derivatives": what an error says is expected.
std::string allowed_text(const KeyInfo& key);

// One table of the file.
struct SchemaSection {
  std::string path;    // "body.NAME.engine"; "" for the top of the file
  bool list = false;   // [[path]]: may occur several times
  std::string kind;    // what `kind` must be for these keys; empty: any, or there is none
  std::string within;  // what a table above must say: "body.NAME.engine.kind = \"full\""; or empty
  std::string description;
  std::vector<KeyInfo> keys;
};

// May it name a body or a material: letters, digits, - and _, at most 64 of them.
bool is_name(std::string_view text);

}  // namespace pliant
