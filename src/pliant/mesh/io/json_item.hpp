// SPDX-License-Identifier: MIT
// A JSON document whose values know their place, so that an error can name it: every access checks
// that the value is there and of the right kind.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pliant/base/types.hpp"
#include "pliant/mesh/io/source.hpp"

namespace pliant::io {

// Valid as long as its document. Errors look like "a.gltf: accessors[3].count: unexpected value".
class JsonItem {
 public:
  [[noreturn]] void fail(const std::string& message, const std::string& value = "",
                         const std::string& expected = "") const;

  bool has(const char* key) const;
  JsonItem operator[](const char* key) const;
  std::int64_t size() const;                 // of an array
  std::int64_t size(const char* key) const;  // of the array at `key`, 0 if it is absent
  JsonItem operator[](std::int64_t i) const;

  double number() const;
  std::int64_t integer() const;  // whole and not negative
  std::int64_t integer(const char* key, std::int64_t absent) const;
  const std::string& text() const;
  bool is_true(const char* key) const;  // false if it is absent
  template <int n>
  Eigen::Matrix<double, n, 1> vector() const {
    if (size() != n) fail("wrong number of items", std::to_string(size()), std::to_string(n));
    Eigen::Matrix<double, n, 1> v;
    for (int i = 0; i < n; ++i) v[i] = (*this)[i].number();
    return v;
  }

 private:
  friend class JsonDocument;
  JsonItem(const void* value, const std::string* file, std::string path)
      : value_(value), file_(file), path_(std::move(path)) {}
  [[noreturn]] void wrong_kind(const char* expected) const;

  const void* value_;  // of the JSON library, which no header shows
  const std::string* file_;
  std::string path_;
};

class JsonDocument {
 public:
  explicit JsonDocument(const Source& source);
  JsonItem root() const { return {value_.get(), &file_, ""}; }

 private:
  std::string file_;
  std::shared_ptr<const void> value_;
};

}  // namespace pliant::io
