// SPDX-License-Identifier: MIT
// How a value of a file becomes one of C++ and back: one Codec a C++ type. Internal.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include "pliant/base/colour.hpp"
#include "pliant/base/types.hpp"
#include "pliant/table/key_info.hpp"
#include "pliant/table/value.hpp"

namespace pliant::table {

using Json = nlohmann::json;  // keys in alphabetical order

// The path of the key under way, and its errors.
class Reader {
 public:
  // Enters a key or a position in a list as long as it lives.
  class Step {
   public:
    Step(Reader& reader, std::string part) : reader_(reader) {
      reader_.path_.push_back(std::move(part));
    }
    ~Step() { reader_.path_.pop_back(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Reader& reader_;
  };

  Place place(const Source& source) const;
  [[noreturn]] void fail(const Source& source, const std::string& message,
                         const std::string& found = "", const std::string& expected = "") const;
  // The value is not what the key allows.
  [[noreturn]] void refuse(const Value& value, const KeyInfo& key) const;

 private:
  std::vector<std::string> path_;
};

// read: checks the value against the key's row, throws Error at its place; lengths become metres.
// write: for canonical() and for defaults.
template <class V>
struct Codec;

template <>
struct Codec<bool> {
  static constexpr KeyType type = KeyType::truth;
  static bool read(const Value& value, const KeyInfo& key, Reader& reader);
  static Json write(bool v);
};
template <>
struct Codec<int> {
  static constexpr KeyType type = KeyType::whole;
  static int read(const Value& value, const KeyInfo& key, Reader& reader);
  static Json write(int v);
};
template <>
struct Codec<double> {
  static constexpr KeyType type = KeyType::number;
  static double read(const Value& value, const KeyInfo& key, Reader& reader);
  // No negative zero; absent if it is infinite: no limit.
  static Json write(double v);
};
template <>
struct Codec<std::string> {
  static constexpr KeyType type = KeyType::text;
  static std::string read(const Value& value, const KeyInfo& key, Reader& reader);
  static Json write(const std::string& v);
};
template <>
struct Codec<Vector3d> {
  static constexpr KeyType type = KeyType::vector;
  static Vector3d read(const Value& value, const KeyInfo& key, Reader& reader);
  static Json write(const Vector3d& v);
};
template <>
struct Codec<Eigen::Quaterniond> {
  static constexpr KeyType type = KeyType::rotation;
  // Of unit length, the scalar not negative.
  static Eigen::Quaterniond read(const Value& value, const KeyInfo& key, Reader& reader);
  static Json write(const Eigen::Quaterniond& v);
};
template <>
struct Codec<Colour> {
  static constexpr KeyType type = KeyType::colour;
  static Colour read(const Value& value, const KeyInfo& key, Reader& reader);
  static Json write(const Colour& v);
};
// By name.
using Numbers = std::map<std::string, double, std::less<>>;
template <>
struct Codec<Numbers> {
  static constexpr KeyType type = KeyType::parameters;
  static Numbers read(const Value& value, const KeyInfo& key, Reader& reader);
  static Json write(const Numbers& v);
};

template <class V>
inline constexpr KeyType type_of_list = KeyType::numbers;
template <>
inline constexpr KeyType type_of_list<int> = KeyType::wholes;
template <>
inline constexpr KeyType type_of_list<Vector3d> = KeyType::vectors;

template <class V>
struct Codec<std::vector<V>> {
  static constexpr KeyType type = type_of_list<V>;
  static std::vector<V> read(const Value& value, const KeyInfo& key, Reader& reader) {
    const List* list = std::get_if<List>(&value.data);
    if (!list) reader.refuse(value, key);
    KeyInfo item = key;
    item.type = Codec<V>::type;
    std::vector<V> out;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Reader::Step step(reader, std::to_string(i));
      out.push_back(Codec<V>::read((*list)[i], item, reader));
    }
    return out;
  }
  static Json write(const std::vector<V>& v) {
    Json out = Json::array();
    for (const V& x : v) out.push_back(Codec<V>::write(x));
    return out;
  }
};

template <class V>
struct Codec<std::optional<V>> {
  static constexpr KeyType type = Codec<V>::type;
  static std::optional<V> read(const Value& value, const KeyInfo& key, Reader& reader) {
    return Codec<V>::read(value, key, reader);
  }
  static Json write(const std::optional<V>& v) { return v ? Codec<V>::write(*v) : Json(); }
};

// A codec whose type is known by an address alone.
struct AnyCodec {
  KeyType type;
  void (*read)(const Value& value, const KeyInfo& key, Reader& reader, void* out);
  Json (*write)(const void* v);
};
template <class V>
inline constexpr AnyCodec any_codec{
    Codec<V>::type,
    [](const Value& value, const KeyInfo& key, Reader& reader, void* out) {
      *static_cast<V*>(out) = Codec<V>::read(value, key, reader);
    },
    [](const void* v) { return Codec<V>::write(*static_cast<const V*>(v)); }};

// The words of an enumeration.
template <class E>
struct Word {
  const char* word;
  E value;
};
template <class E>
using Words = std::vector<Word<E>>;

// The position of the word in key.options.
std::size_t read_option(const Value& value, const KeyInfo& key, Reader& reader);

}  // namespace pliant::table
