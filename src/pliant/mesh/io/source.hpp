// SPDX-License-Identifier: MIT
// What all readers have in common: the bytes of a file with its name, tokens of text with their
// line, fixed-size items of binary data with their offset, limits on claimed counts, and errors
// that say where. Readers never touch the bytes but through these.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "pliant/base/error.hpp"
#include "pliant/mesh/io/read_limits.hpp"

namespace pliant::io {

struct Source {
  std::string name;  // shown in errors
  std::string_view bytes;
  ReadLimits limits = {};
};

// The bytes of a file that the one being read names; throws Error if it cannot be had.
using Load = std::function<std::string(const std::string& name)>;

// Tokens of a text. Separators are blanks, tabs, commas (if asked for) and line ends.
class TextReader {
 public:
  struct Style {
    char comment = '#';        // from here to the end of the line is skipped; '\0': none
    bool commas = false;       // a comma separates like a blank
    char continuation = '\0';  // as the last character of a line: the next one belongs to it
  };

  TextReader(Source source, Style style);

  // --- stream of tokens, across lines ---
  // The next token, empty at the end of the text.
  std::string_view token();
  std::string_view peek();
  // The next token, which must be there.
  std::string_view need_token(const char* expected);
  double need_double(const char* expected = "a number");
  std::int64_t need_integer(const char* expected = "a whole number");
  void need_word(std::string_view word);  // exactly this token, case counts
  bool at_end() { return peek().empty(); }

  // --- lines ---
  // Moves to the next line that holds a token; false at the end of the text. Afterwards the token
  // functions above and `more_on_line` work on that line and what follows.
  bool next_line();
  bool more_on_line();  // is there another token before the line ends?
  void need_more_on_line(const char* expected);
  std::string_view rest_of_line();  // without comment, trimmed; moves to the end of the line
  void skip_line();

  // --- raw bytes behind the current token: for formats that mix text and binary data ---
  std::size_t offset() const { return position_; }
  void seek(std::size_t offset);
  std::size_t next_line_offset() const;  // of the first byte behind the end of this line
  // A reader of the bytes [begin, end) alone, with the line numbers of the whole.
  TextReader section(std::size_t begin, std::size_t end);
  std::string_view bytes() const { return source_.bytes; }

  // A count claimed by the file is refused when the rest of the file cannot hold so many items of
  // at least `bytes_each` bytes: a hostile count never makes the reader allocate.
  int need_count(const char* what, std::size_t bytes_each = 2);
  int checked_count(std::int64_t count, std::size_t bytes_each, const char* what) const;

  long line() const { return line_; }  // of the last token
  const std::string& name() const { return source_.name; }
  Place place() const { return {source_.name, line_, ""}; }
  [[noreturn]] void fail(const std::string& message, std::string_view value = "",
                         const std::string& expected = "") const;

 private:
  void skip_blanks(bool stop_at_line_end);
  // Bytes of the line end that a continuation character at `position` hides; 0 if there is none.
  std::size_t hidden_line_end(std::size_t position) const;

  Source source_;
  Style style_;
  std::size_t position_ = 0;
  long line_ = 1;           // of the last token
  long position_line_ = 1;  // of position_
};

// Whole-token conversions: no sign of leftovers, no overflow, and doubles must be finite.
bool parse(std::string_view text, double& value);
bool parse(std::string_view text, std::int64_t& value);

// Are these the same, but for ASCII capitals?
bool same_word(std::string_view a, std::string_view b);
std::string upper(std::string_view text);  // ASCII

// Fixed-size items of binary data.
class ByteReader {
 public:
  explicit ByteReader(Source source, std::endian order = std::endian::little)
      : source_(std::move(source)), order_(order) {}

  template <class T>
  T get(const char* what) {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
    return order_ == std::endian::native ? value : swapped(value);
  }
  std::string_view take(std::size_t size, const char* what);
  void check_count(std::uint64_t count, std::size_t bytes_each, const char* what) const;

  std::endian order() const { return order_; }
  void set_order(std::endian order) { order_ = order; }
  std::size_t offset() const { return position_; }
  std::size_t left() const { return source_.bytes.size() - position_; }
  void seek(std::size_t offset);
  [[noreturn]] void fail(const std::string& message, const std::string& value = "",
                         const std::string& expected = "") const;

 private:
  template <class T>
  static T swapped(T value) {
    unsigned char b[sizeof(T)];
    std::memcpy(b, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(b[i], b[sizeof(T) - 1 - i]);
    std::memcpy(&value, b, sizeof(T));
    return value;
  }

  Source source_;
  std::endian order_;
  std::size_t position_ = 0;
};

// An index into `count` items, given in a file as `value` with base 0 or 1.
template <class Reader>
int checked_index(const Reader& reader, std::int64_t value, int base, int count, const char* what) {
  if (value < base || value - base >= count) {
    reader.fail(std::string(what) + " does not exist", std::to_string(value),
                count == 0 ? "none, the file has none"
                           : std::to_string(base) + " to " + std::to_string(count - 1 + base));
  }
  return static_cast<int>(value - base);
}

}  // namespace pliant::io
