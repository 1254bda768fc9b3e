// SPDX-License-Identifier: MIT
// What all writers have in common: text, numbers as text and fixed-size items of binary data,
// appended to one string.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pliant::io {

class Sink {
 public:
  explicit Sink(std::endian order = std::endian::little) : order_(order) {}

  Sink& text(std::string_view text) {
    out_ += text;
    return *this;
  }
  // The shortest text that reads back to the same bits.
  Sink& number(double value);
  Sink& integer(std::int64_t value);

  // A binary item, in the order of bytes given above.
  template <class T>
  Sink& raw(T value) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (order_ != std::endian::native) std::reverse(bytes, bytes + sizeof(T));
    out_.append(bytes, sizeof(T));
    return *this;
  }
  template <class T>
  Sink& raw(std::span<const T> values) {
    for (const T value : values) raw(value);
    return *this;
  }

  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  std::size_t size() const { return out_.size(); }
  std::string take() { return std::move(out_); }

 private:
  std::endian order_;
  std::string out_;
};

}  // namespace pliant::io
