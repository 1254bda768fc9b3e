// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/json_item.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::io {

using nlohmann::json;

namespace {

json parse_json(const Source& source) {
  try {
    return json::parse(source.bytes);
  } catch (const json::parse_error& error) {
    const std::string_view before = source.bytes.substr(0, error.byte);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t shown = std::min<std::size_t>(before.size(), 20);
    throw Error({source.name, static_cast<long>(line), ""}, "the JSON is broken",
                std::string(before.substr(before.size() - shown)), "valid JSON up to there");
  } catch (const json::exception&) {
    throw Error({source.name, 0, ""}, "the JSON holds a number that is out of range");
  }
}

const json& json_at(const void* value) {
  return *static_cast<const json*>(value);
}

}  // namespace

JsonDocument::JsonDocument(const Source& source)
    : file_(source.name), value_(std::make_shared<const json>(parse_json(source))) {}

void JsonItem::fail(const std::string& message, const std::string& value,
                    const std::string& expected) const {
  throw Error({*file_, 0, path_}, message, value, expected);
}

void JsonItem::wrong_kind(const char* expected) const {
  const json& value = json_at(value_);
  const std::string shown = value.is_structured() ? value.type_name() : value.dump();
  fail("unexpected value", shown, expected);
}

bool JsonItem::has(const char* key) const {
  return json_at(value_).is_object() && json_at(value_).contains(key);
}

JsonItem JsonItem::operator[](const char* key) const {
  const auto found = json_at(value_).find(key);  // the end if this is no object
  if (found == json_at(value_).end()) fail(fmt::format("'{}' is missing", key));
  return {&*found, file_, path_.empty() ? key : path_ + "." + key};
}

std::int64_t JsonItem::size() const {
  if (!json_at(value_).is_array()) wrong_kind("an array");
  return static_cast<std::int64_t>(json_at(value_).size());
}

std::int64_t JsonItem::size(const char* key) const {
  return has(key) ? (*this)[key].size() : 0;
}

JsonItem JsonItem::operator[](std::int64_t i) const {
  if (i < 0 || i >= size()) {
    fail("no such item", std::to_string(i), fmt::format("less than {}", size()));
  }
  const json& item = json_at(value_)[static_cast<std::size_t>(i)];
  return {&item, file_, fmt::format("{}[{}]", path_, i)};
}

double JsonItem::number() const {
  if (!json_at(value_).is_number()) wrong_kind("a number");
  return json_at(value_).get<double>();
}

std::int64_t JsonItem::integer() const {
  const double value = number();
  if (!(value >= 0.0 && value < 1e15 && std::floor(value) == value)) {
    wrong_kind("a whole number that is not negative");
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t JsonItem::integer(const char* key, std::int64_t absent) const {
  return has(key) ? (*this)[key].integer() : absent;
}

const std::string& JsonItem::text() const {
  if (!json_at(value_).is_string()) wrong_kind("a text");
  return json_at(value_).get_ref<const std::string&>();
}

bool JsonItem::is_true(const char* key) const {
  const auto found = json_at(value_).find(key);
  return found != json_at(value_).end() && found->is_boolean() && found->get<bool>();
}

}  // namespace pliant::io
