// SPDX-License-Identifier: MIT
#include "pliant/table/value.hpp"

#include <algorithm>

#include "pliant/base/match.hpp"
#include "pliant/base/text.hpp"

namespace pliant::table {
namespace {

const std::string* kind_key(const Object& object) {
  const auto it = object.find("kind");
  return it == object.end() ? nullptr : std::get_if<std::string>(&it->second.value.data);
}

bool is_position(const std::string& part) {
  return !part.empty() && part.size() < 10 &&
         std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

// The value below `value` that `part` names, or null; `source` becomes where its key stands.
const Value* child(const Value& value, const std::string& part, Source& source) {
  if (const Object* object = std::get_if<Object>(&value.data)) {
    const auto it = object->find(part);
    if (it == object->end()) return nullptr;
    source = it->second.key;
    return &it->second.value;
  }
  if (const List* list = std::get_if<List>(&value.data); list && is_position(part)) {
    const std::size_t i = std::stoul(part);
    if (i >= list->size()) return nullptr;
    source = (*list)[i].source;
    return &(*list)[i];
  }
  return nullptr;
}

}  // namespace

const Source& source_of(const Value& table, std::string_view key) {
  const Object& object = std::get<Object>(table.data);
  const auto it = object.find(key);
  return it == object.end() ? table.source : it->second.value.source;
}

std::string kind_of(const Value& value) {
  return std::visit(Match{[](const Other&) -> std::string { return "a date or time"; },
                          [](const bool&) -> std::string { return "true or false"; },
                          [](const std::int64_t&) -> std::string { return "a whole number"; },
                          [](const double&) -> std::string { return "a number"; },
                          [](const std::string&) -> std::string { return "a text"; },
                          [](const List& l) { return "a list of " + std::to_string(l.size()); },
                          [](const Object&) -> std::string { return "a table"; }},
                    value.data);
}

std::string text_of(const Value& value) {
  return std::visit(
      Match{[](const bool& b) -> std::string { return b ? "true" : "false"; },
            [](const std::int64_t& i) { return std::to_string(i); },
            [](const double& x) { return exact_text(x); },
            [](const std::string& s) -> std::string { return s.empty() ? "\"\"" : s; },
            [&](const auto&) { return kind_of(value); }},
      value.data);
}

void merge(Value& under, Value over) {
  Object* below = std::get_if<Object>(&under.data);
  Object* above = std::get_if<Object>(&over.data);
  const std::string* kind_below = below ? kind_key(*below) : nullptr;
  const std::string* kind_above = above ? kind_key(*above) : nullptr;
  if (!below || !above || (kind_above && (!kind_below || *kind_above != *kind_below))) {
    under = std::move(over);
    return;
  }
  for (auto& [key, member] : *above) {
    const auto it = below->find(key);
    if (it == below->end()) {
      below->emplace(key, std::move(member));
    } else {
      it->second.key = member.key;
      merge(it->second.value, std::move(member.value));
    }
  }
  under.source = over.source;
}

Place place_of(const Value& root, const std::vector<std::string>& path) {
  Source source = root.source;
  const Value* value = &root;
  for (const std::string& part : path) {
    value = child(*value, part, source);
    if (!value) break;
  }
  return {source.file ? source.file->name : "", source.line, join(path), source.column};
}

std::string join(const std::vector<std::string>& path) {
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0 && is_position(path[i])) {
      text += "[" + path[i] + "]";
    } else {
      text += (i == 0 ? "" : ".") + printable(path[i]);
    }
  }
  return text;
}

}  // namespace pliant::table
