// SPDX-License-Identifier: MIT
#include "pliant/scene/write_scene.hpp"

#include <fmt/format.h>

#include "pliant/scene/tables.hpp"

namespace pliant {
namespace {

using table::Json;

// Texts of JSON are those of TOML, but for one character.
std::string quoted(const Json& text) {
  std::string out;
  for (const char c : text.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '\x7f') {
      out += "\\u007f";
    } else {
      out += c;
    }
  }
  return out;
}

// What says nothing: an empty list of `fixed` says that nothing is held, one of `control` that there
// are no control elements.
bool is_silent(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().empty();
  return value.is_structured() && value.empty() && key != "fixed" && key != "control";
}

std::string inline_text(const Json& value) {
  std::string out;
  if (value.is_array()) {
    for (const Json& item : value) out += (out.empty() ? "" : ", ") + inline_text(item);
    return "[" + out + "]";
  }
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      if (is_silent(key, item)) continue;
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", key, inline_text(item));
    }
    return "{ " + out + " }";
  }
  return value.is_string() ? quoted(value) : value.dump();
}

void put(const std::string& key, const Json& value, std::string& out) {
  if (!is_silent(key, value)) out += fmt::format("{} = {}\n", key, inline_text(value));
}

void put_table(const std::string& path, const Json& table, std::string& out) {
  out += fmt::format("\n[{}]\n", path);
  for (const auto& [key, value] : table.items()) put(key, value, out);
}

// Keys that others of the body leave without meaning, and which are refused beside them.
void drop_meaningless(Json& body) {
  if (!is_silent("material", body["material"])) body.erase("law");
  if (!is_silent("instances", body["instances"])) body.erase("pose");
  if (is_silent("shape", body["shape"])) return;
  for (const char* key : {"mesh", "meshing", "law"}) body.erase(key);
}

}  // namespace

std::string scene_text(const Scene& scene) {
  Json all = scene::scene_table().write(scene);
  for (Json& body : all["body"]) drop_meaningless(body);
  std::string out;
  for (const auto& [key, value] : all.items()) {
    if (!value.is_object()) put(key, value, out);
  }
  for (const auto& [key, value] : all.items()) {
    if (!value.is_object() || value.empty()) continue;
    if (key != "material" && key != "body") {
      put_table(key, value, out);
      continue;
    }
    for (const auto& [name, item] : value.items()) put_table(key + "." + name, item, out);
  }
  return out;
}

}  // namespace pliant
