// SPDX-License-Identifier: MIT
#include "pliant/table/key_info.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/text.hpp"

namespace pliant {
namespace {

std::string limits_text(const KeyInfo& key) {
  const bool low = std::isfinite(key.least), high = std::isfinite(key.most);
  if (low && high && !key.above) return " " + text(key.least) + " to " + text(key.most);
  std::string limits;
  if (low) limits += (key.above ? " > " : " >= ") + text(key.least);
  if (high) limits += std::string(low ? " and" : "") + " <= " + text(key.most);
  return limits;
}

}  // namespace

KeyInfo info_of(const Key& key) {
  return {.name = key.name,
          .type = key.type,
          .unit = key.unit,
          .least = key.least,
          .most = key.most,
          .above = key.above,
          .required = key.required,
          .default_text = key.default_text,
          .description = key.description};
}

const char* name_of(KeyType type) {
  switch (type) {
    case KeyType::truth:
      return "true or false";
    case KeyType::whole:
      return "whole number";
    case KeyType::number:
      return "number";
    case KeyType::text:
      return "text";
    case KeyType::option:
      return "word";
    case KeyType::options:
      return "list of words";
    case KeyType::name:
      return "name";
    case KeyType::file:
      return "file";
    case KeyType::files:
      return "list of files";
    case KeyType::output_file:
      return "file to write";
    case KeyType::vector:
      return "3 numbers";
    case KeyType::vectors:
      return "list of vectors";
    case KeyType::numbers:
      return "list of numbers";
    case KeyType::wholes:
      return "list of whole numbers";
    case KeyType::colour:
      return "colour";
    case KeyType::rotation:
      return "rotation";
    case KeyType::parameters:
      return "table of numbers";
    case KeyType::table:
      return "table";
    case KeyType::named_tables:
      return "tables by name";
    case KeyType::tables:
      return "list of tables";
  }
  return "";
}

std::string allowed_text(const KeyInfo& key) {
  const std::string limits = limits_text(key);
  const std::string unit = key.is_length()    ? " (a length)"
                           : key.unit.empty() ? ""
                                              : " (in " + key.unit + ")";
  std::string words;
  for (const std::string& word : key.options) words += (words.empty() ? "" : ", ") + word;
  switch (key.type) {
    case KeyType::truth:
      return "true or false";
    case KeyType::whole:
      return "a whole number" + limits + unit;
    case KeyType::number:
      return "a number" + limits + unit;
    case KeyType::text:
      return "a text in quotes";
    case KeyType::option:
      return "one of " + words;
    case KeyType::options:
      return "a list of some of " + words;
    case KeyType::name:
      return "a name in quotes";
    case KeyType::file:
      return "the path of a file, relative to the file that says it";
    case KeyType::files:
      return "a list of paths of files, relative to the file that says them";
    case KeyType::output_file:
      return "the path of a file to write";
    case KeyType::vector:
      return "a list of 3 numbers" + limits + unit;
    case KeyType::vectors:
      return "a list of lists of 3 numbers" + limits + unit;
    case KeyType::numbers:
      return "a list of numbers" + limits + unit;
    case KeyType::wholes:
      return "a list of whole numbers" + limits;
    case KeyType::colour:
      return "a colour as \"#rrggbb\"";
    case KeyType::rotation:
      return "a quaternion [w, x, y, z] or { axis = [x, y, z], degrees = number }";
    case KeyType::parameters:
      return "a table of names and numbers";
    case KeyType::table:
      return "a table";
    case KeyType::named_tables:
      return "tables by name, such as [" + key.name + ".NAME]";
    case KeyType::tables:
      return "a list of tables";
  }
  return "";
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

}  // namespace pliant
