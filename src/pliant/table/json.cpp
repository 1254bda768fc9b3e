// SPDX-License-Identifier: MIT
#include "pliant/table/json.hpp"

namespace pliant::table {
namespace {

constexpr int most_nesting = 64;

bool too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    quoted = c == '"';
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > most_nesting) return true;
  }
  return false;
}

}  // namespace

Value value_of(const Json& json, const Source& source) {
  Value value{Other{}, source};
  if (json.is_boolean()) value.data = json.get<bool>();
  if (json.is_number_integer()) value.data = json.get<std::int64_t>();
  if (json.is_number_float()) value.data = json.get<double>();
  if (json.is_string()) value.data = json.get<std::string>();
  if (json.is_array()) {
    List list;
    for (const Json& item : json) list.push_back(value_of(item, source));
    value.data = std::move(list);
  }
  if (json.is_object()) {
    Object object;
    for (const auto& [key, item] : json.items()) {
      object.emplace(key, Member{value_of(item, source), source});
    }
    value.data = std::move(object);
  }
  return value;
}

Value parse_json(std::string_view text, std::shared_ptr<const File> file) {
  const Source source{std::move(file), 0, 0};
  if (too_deep(text)) {
    throw Error({source.file->name, 0, ""}, "nested too deeply", "",
                "at most " + std::to_string(most_nesting) + " levels");
  }
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Error({source.file->name, 0, ""}, "not JSON");
  return value_of(json, source);
}

Json json_of(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value.data)) return *b;
  if (const auto* i = std::get_if<std::int64_t>(&value.data)) return *i;
  if (const auto* x = std::get_if<double>(&value.data)) return *x;
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* list = std::get_if<List>(&value.data)) {
    Json json = Json::array();
    for (const Value& item : *list) json.push_back(json_of(item));
    return json;
  }
  if (const auto* object = std::get_if<Object>(&value.data)) {
    Json json = Json::object();
    for (const auto& [key, member] : *object) json[key] = json_of(member.value);
    return json;
  }
  return {};
}

std::string json_text(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace pliant::table
