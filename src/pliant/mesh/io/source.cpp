// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/source.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace pliant::io {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// from_chars takes no plus.
std::string_view without_plus(std::string_view text) {
  return text.starts_with('+') && !text.starts_with("+-") ? text.substr(1) : text;
}

template <class Reader, class Count>
[[noreturn]] void fail_too_many(const Reader& reader, Count count, const ReadLimits& limits) {
  reader.fail("the file says that it has too many items", std::to_string(count),
              fmt::format("at most {}", limits.elements));
}

}  // namespace

bool parse(std::string_view text, double& value) {
  text = without_plus(text);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end) return false;
  if (error == std::errc::result_out_of_range) {
    // Too small for a double is zero; too large is refused.
    value = 0.0;
    return text.find("e-") != text.npos || text.find("E-") != text.npos;
  }
  return error == std::errc() && std::isfinite(value);
}

bool parse(std::string_view text, std::int64_t& value) {
  text = without_plus(text);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

TextReader::TextReader(Source source, Style style) : source_(std::move(source)), style_(style) {
  if (source_.bytes.starts_with("\xEF\xBB\xBF")) position_ = 3;  // byte-order mark
}

void TextReader::skip_blanks(bool stop_at_line_end) {
  const std::string_view text = source_.bytes;
  while (position_ < text.size()) {
    const char c = text[position_];
    if (c == '\n') {
      if (stop_at_line_end) return;
      ++position_line_;
      ++position_;
    } else if (is_blank(c) || (style_.commas && c == ',')) {
      ++position_;
    } else if (style_.comment != '\0' && c == style_.comment) {
      const std::size_t end = text.find('\n', position_);
      position_ = end == text.npos ? text.size() : end;
    } else if (const std::size_t hidden = hidden_line_end(position_)) {
      ++position_line_;
      position_ += 1 + hidden;
    } else {
      return;
    }
  }
}

std::size_t TextReader::hidden_line_end(std::size_t position) const {
  if (style_.continuation == '\0' || source_.bytes[position] != style_.continuation) return 0;
  const std::string_view after = source_.bytes.substr(position + 1, 2);
  return after.starts_with('\n') ? 1 : after == "\r\n" ? 2 : 0;
}

std::string_view TextReader::token() {
  skip_blanks(false);
  line_ = position_line_;
  const std::string_view text = source_.bytes;
  const std::size_t begin = position_;
  while (position_ < text.size()) {
    const char c = text[position_];
    if (c == '\n' || is_blank(c) || (style_.commas && c == ',') ||
        (style_.comment != '\0' && c == style_.comment) || hidden_line_end(position_) != 0) {
      break;
    }
    ++position_;
  }
  return text.substr(begin, position_ - begin);
}

std::string_view TextReader::peek() {
  const std::size_t position = position_;
  const long position_line = position_line_;
  const long line = line_;
  const std::string_view next = token();
  position_ = position;
  position_line_ = position_line;
  line_ = line;
  return next;
}

std::string_view TextReader::need_token(const char* expected) {
  const std::string_view next = token();
  if (next.empty()) fail("the file ends too early", "", expected);
  return next;
}

double TextReader::need_double(const char* expected) {
  const std::string_view text = need_token(expected);
  double value;
  if (!parse(text, value)) fail("not a finite number", text, expected);
  return value;
}

std::int64_t TextReader::need_integer(const char* expected) {
  const std::string_view text = need_token(expected);
  std::int64_t value;
  if (!parse(text, value)) fail("not a whole number", text, expected);
  return value;
}

void TextReader::need_word(std::string_view word) {
  const std::string expected = "'" + std::string(word) + "'";
  const std::string_view found = need_token(expected.c_str());
  if (found != word) fail("unexpected word", found, expected);
}

bool TextReader::next_line() {
  skip_blanks(false);
  line_ = position_line_;
  return position_ < source_.bytes.size();
}

bool TextReader::more_on_line() {
  skip_blanks(true);
  return position_ < source_.bytes.size() && source_.bytes[position_] != '\n';
}

void TextReader::need_more_on_line(const char* expected) {
  if (more_on_line()) return;
  const bool at_end = position_ == source_.bytes.size();
  fail(at_end ? "the file ends too early" : "the line ends too early", "", expected);
}

std::string_view TextReader::rest_of_line() {
  if (!more_on_line()) return {};
  line_ = position_line_;
  const std::string_view text = source_.bytes;
  const std::size_t begin = position_;
  std::size_t end = begin;
  while (end < text.size() && text[end] != '\n' && hidden_line_end(end) == 0 &&
         (style_.comment == '\0' || text[end] != style_.comment)) {
    ++end;
  }
  position_ = end;
  skip_line();
  while (end > begin && is_blank(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

void TextReader::skip_line() {
  if (style_.continuation != '\0') {
    while (more_on_line()) token();
  } else {
    const std::size_t end = source_.bytes.find('\n', position_);
    position_ = end == std::string_view::npos ? source_.bytes.size() : end;
  }
}

void TextReader::seek(std::size_t offset) {
  offset = std::min(offset, source_.bytes.size());
  const auto lines_between = [&](std::size_t from, std::size_t to) {
    const char* text = source_.bytes.data();
    return std::count(text + from, text + to, '\n');
  };
  if (offset >= position_) {
    position_line_ += lines_between(position_, offset);
  } else {
    position_line_ -= lines_between(offset, position_);
  }
  position_ = offset;
  line_ = position_line_;
}

std::size_t TextReader::next_line_offset() const {
  const std::size_t end = source_.bytes.find('\n', position_);
  return end == std::string_view::npos ? source_.bytes.size() : end + 1;
}

TextReader TextReader::section(std::size_t begin, std::size_t end) {
  seek(begin);
  TextReader part = *this;
  part.source_.bytes = source_.bytes.substr(0, end);
  return part;
}

int TextReader::need_count(const char* what, std::size_t bytes_each) {
  return checked_count(need_integer(what), bytes_each, what);
}

int TextReader::checked_count(std::int64_t count, std::size_t bytes_each, const char* what) const {
  const std::size_t left = source_.bytes.size() - position_;
  if (count < 0) fail("a count is negative", std::to_string(count), what);
  if (count > source_.limits.elements) fail_too_many(*this, count, source_.limits);
  if (static_cast<std::size_t>(count) > left / bytes_each) {
    fail(fmt::format("the file is too short for this many items ({} bytes are left)", left),
         std::to_string(count), what);
  }
  return static_cast<int>(count);
}

void TextReader::fail(const std::string& message, std::string_view value,
                      const std::string& expected) const {
  throw Error(place(), message, std::string(value), expected);
}

std::string_view ByteReader::take(std::size_t size, const char* what) {
  if (size > left()) {
    fail(fmt::format("the file ends inside {} ({} of {} bytes are there)", what, left(), size));
  }
  const std::string_view part = source_.bytes.substr(position_, size);
  position_ += size;
  return part;
}

void ByteReader::check_count(std::uint64_t count, std::size_t bytes_each, const char* what) const {
  if (count > static_cast<std::uint64_t>(source_.limits.elements)) {
    fail_too_many(*this, count, source_.limits);
  }
  if (count > left() / bytes_each) {
    fail(fmt::format("the file is too short for this many items ({} bytes are left)", left()),
         std::to_string(count), what);
  }
}

void ByteReader::seek(std::size_t offset) {
  if (offset > source_.bytes.size()) fail("an offset lies behind the end of the file");
  position_ = offset;
}

void ByteReader::fail(const std::string& message, const std::string& value,
                      const std::string& expected) const {
  throw Error({source_.name, 0, "byte " + std::to_string(position_)}, message, value, expected);
}

}  // namespace pliant::io
