// SPDX-License-Identifier: MIT
#include "pliant/table/codec.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/base/nearest_name.hpp"

namespace pliant::table {
namespace {

constexpr double degree = std::numbers::pi / 180;

std::optional<double> number_in(const Value& value) {
  if (const double* x = std::get_if<double>(&value.data)) return *x;
  if (const auto* i = std::get_if<std::int64_t>(&value.data)) return static_cast<double>(*i);
  return std::nullopt;
}

bool allows(const KeyInfo& key, double x) {
  return std::isfinite(x) && (key.above ? x > key.least : x >= key.least) && x <= key.most;
}

// `count` numbers of a list, without limits or units.
std::optional<std::vector<double>> plain_numbers(const Value& value, std::size_t count) {
  const List* list = std::get_if<List>(&value.data);
  if (!list || list->size() != count) return std::nullopt;
  std::vector<double> out;
  for (const Value& item : *list) {
    const std::optional<double> x = number_in(item);
    if (!x || !std::isfinite(*x)) return std::nullopt;
    out.push_back(*x);
  }
  return out;
}

std::optional<Eigen::Quaterniond> axis_and_degrees(const Object& table) {
  const auto axis = table.find("axis"), angle = table.find("degrees");
  if (table.size() != 2 || axis == table.end() || angle == table.end()) return std::nullopt;
  const auto a = plain_numbers(axis->second.value, 3);
  const auto degrees = number_in(angle->second.value);
  if (!a || !degrees || !std::isfinite(*degrees)) return std::nullopt;
  const Vector3d direction = Vector3d((*a)[0], (*a)[1], (*a)[2]).stableNormalized();
  if (!(direction.norm() > 0.5)) return std::nullopt;
  return Eigen::Quaterniond(Eigen::AngleAxisd(degree * std::remainder(*degrees, 360.0), direction));
}

std::optional<Eigen::Quaterniond> quaternion(const Value& value) {
  const auto q = plain_numbers(value, 4);
  if (!q) return std::nullopt;
  const Eigen::Vector4d wxyz = Eigen::Vector4d((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
  const Eigen::Vector4d unit = wxyz.stableNormalized();
  if (!(unit.norm() > 0.5)) return std::nullopt;
  return Eigen::Quaterniond(unit[0], unit[1], unit[2], unit[3]);
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

}  // namespace

Place Reader::place(const Source& source) const {
  return {source.file ? source.file->name : "", source.line, join(path_), source.column};
}

void Reader::fail(const Source& source, const std::string& message, const std::string& found,
                  const std::string& expected) const {
  throw Error(place(source), message, found, expected);
}

void Reader::refuse(const Value& value, const KeyInfo& key) const {
  const bool plain =
      key.type == KeyType::number || key.type == KeyType::whole || key.type == KeyType::truth;
  if (const std::string* text = std::get_if<std::string>(&value.data); text && plain) {
    fail(value.source, "this is a text", "\"" + *text + "\"",
         allowed_text(key) + ", without quotes");
  }
  fail(value.source, "wrong value", text_of(value), allowed_text(key));
}

bool Codec<bool>::read(const Value& value, const KeyInfo& key, Reader& reader) {
  const bool* b = std::get_if<bool>(&value.data);
  if (!b) reader.refuse(value, key);
  return *b;
}

int Codec<int>::read(const Value& value, const KeyInfo& key, Reader& reader) {
  const auto* i = std::get_if<std::int64_t>(&value.data);
  constexpr auto most = std::numeric_limits<int>::max();
  if (!i || *i > most || *i < -most || !allows(key, static_cast<double>(*i))) {
    reader.refuse(value, key);
  }
  return static_cast<int>(*i);
}

double Codec<double>::read(const Value& value, const KeyInfo& key, Reader& reader) {
  std::optional<double> x = number_in(value);
  // A quotient of what was written, so that 120 in mm is the same number as 0.12 in m.
  if (x && key.is_length()) x = *x / value.source.file->units_per_metre;
  if (!x || !allows(key, *x)) reader.refuse(value, key);
  return *x;
}

std::string Codec<std::string>::read(const Value& value, const KeyInfo& key, Reader& reader) {
  const std::string* text = std::get_if<std::string>(&value.data);
  if (!text || (key.type == KeyType::name && text->empty())) reader.refuse(value, key);
  return *text;
}

Vector3d Codec<Vector3d>::read(const Value& value, const KeyInfo& key, Reader& reader) {
  const List* list = std::get_if<List>(&value.data);
  if (!list || list->size() != 3) reader.refuse(value, key);
  KeyInfo item = key;
  item.type = KeyType::number;
  Vector3d out;
  for (std::size_t i = 0; i < 3; ++i) {
    const Reader::Step step(reader, std::to_string(i));
    out[static_cast<Index>(i)] = Codec<double>::read((*list)[i], item, reader);
  }
  return out;
}

Eigen::Quaterniond Codec<Eigen::Quaterniond>::read(const Value& value, const KeyInfo& key,
                                                   Reader& reader) {
  const Object* table = std::get_if<Object>(&value.data);
  std::optional<Eigen::Quaterniond> q = table ? axis_and_degrees(*table) : quaternion(value);
  if (!q) reader.refuse(value, key);
  if (q->w() < 0) q->coeffs() = -q->coeffs();
  return *q;
}

Colour Codec<Colour>::read(const Value& value, const KeyInfo& key, Reader& reader) {
  const std::string* text = std::get_if<std::string>(&value.data);
  if (!text || text->size() != 7 || (*text)[0] != '#') reader.refuse(value, key);
  std::uint8_t parts[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto high = hex_digit((*text)[1 + 2 * i]), low = hex_digit((*text)[2 + 2 * i]);
    if (!high || !low) reader.refuse(value, key);
    parts[i] = static_cast<std::uint8_t>(16 * *high + *low);
  }
  return {parts[0], parts[1], parts[2]};
}

Json Codec<bool>::write(bool v) {
  return v;
}
Json Codec<int>::write(int v) {
  return v;
}
Json Codec<double>::write(double v) {
  return std::isfinite(v) ? Json(v + 0.0) : Json();
}
Json Codec<std::string>::write(const std::string& v) {
  return v;
}
Json Codec<Vector3d>::write(const Vector3d& v) {
  return {v[0] + 0.0, v[1] + 0.0, v[2] + 0.0};
}
Json Codec<Eigen::Quaterniond>::write(const Eigen::Quaterniond& v) {
  return {v.w() + 0.0, v.x() + 0.0, v.y() + 0.0, v.z() + 0.0};
}

Json Codec<Colour>::write(const Colour& v) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "#";
  for (const std::uint8_t part : {v.red, v.green, v.blue}) {
    text += digits[part / 16];
    text += digits[part % 16];
  }
  return text;
}

Numbers Codec<Numbers>::read(const Value& value, const KeyInfo& key, Reader& reader) {
  const Object* table = std::get_if<Object>(&value.data);
  if (!table) reader.refuse(value, key);
  Numbers out;
  for (const auto& [name, member] : *table) {
    const Reader::Step step(reader, name);
    out[name] = Codec<double>::read(member.value, KeyInfo{name}, reader);
  }
  return out;
}

Json Codec<Numbers>::write(const Numbers& v) {
  Json out = Json::object();
  for (const auto& [name, x] : v) out[name] = x + 0.0;
  return out;
}

std::size_t read_option(const Value& value, const KeyInfo& key, Reader& reader) {
  const std::string* text = std::get_if<std::string>(&value.data);
  const auto it = text ? std::ranges::find(key.options, *text) : key.options.end();
  if (it == key.options.end()) {
    reader.fail(
        value.source, "wrong value", text_of(value),
        text ? allowed_text(key) + "; " + nearest_known(*text, key.options) : allowed_text(key));
  }
  return static_cast<std::size_t>(it - key.options.begin());
}

}  // namespace pliant::table
