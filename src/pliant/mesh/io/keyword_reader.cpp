// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/keyword_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pliant::io {
namespace {

// A file can name another a hundred times; these bounds keep the work in proportion.
constexpr std::size_t deepest_include = 16;
constexpr std::size_t most_includes = 1000;
constexpr std::size_t most_included_bytes = std::size_t{1} << 31;

constexpr std::size_t most_skipped_names = 12;

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\v\f\n";
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  const std::size_t last = text.find_last_not_of(blanks);
  return text.substr(0, last == text.npos ? 0 : last + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

KeywordReader::KeywordReader(Source source, char comment, Load load)
    : style_{.comment = comment, .commas = true}, load_(std::move(load)) {
  names_.push_back(source.name);
  open_.push_back({TextReader(std::move(source), style_), 0});
}

bool KeywordReader::at_keyword() {
  return text().bytes()[text().offset()] == '*';
}

bool KeywordReader::next_line() {
  if (line_is_pending_) {
    line_is_pending_ = false;
    return true;
  }
  for (;;) {
    if (!open_.back().untouched) text().skip_line();
    open_.back().untouched = false;
    if (!text().next_line()) {
      if (open_.size() == 1) return false;
      open_.pop_back();
      continue;
    }
    if (!at_keyword()) return true;
    const std::string_view word = text().peek();
    if (word.starts_with("**")) continue;
    if (!same_word(word.substr(0, 8), "*INCLUDE")) return true;
    include(text().rest_of_line());
  }
}

bool KeywordReader::next_data_line() {
  if (line_is_pending_ || !next_line()) return false;
  line_is_pending_ = at_keyword();
  return !line_is_pending_;
}

std::string_view KeywordReader::keyword_line() {
  if (!at_keyword()) fail("values without a keyword", text().rest_of_line(), "a line with '*'");
  return text().rest_of_line();
}

void KeywordReader::include(std::string_view line) {
  std::string_view name = trimmed(line.substr(8));
  if (name.starts_with(',')) name = trimmed(name.substr(1));
  if (same_word(name.substr(0, 5), "INPUT")) {
    const std::string_view after = trimmed(name.substr(5));
    if (after.starts_with('=')) name = trimmed(after.substr(1));
  }
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
    name = name.substr(1, name.size() - 2);
  }
  if (name.empty()) fail("*INCLUDE without the name of a file");
  if (open_.size() > deepest_include) fail("files include one another too deeply", name);
  if (names_.size() > most_includes) fail("too many files are included", name);
  // The outermost file's name is a path, so its cycles are seen one round later.
  for (std::size_t i = 1; i < open_.size(); ++i) {
    if (names_[static_cast<std::size_t>(open_[i].file)] == name) {
      fail("the file includes itself", name);
    }
  }

  auto found = texts_.find(std::string(name));
  if (found == texts_.end()) {
    std::string bytes;
    try {
      bytes = load_(std::string(name));
    } catch (const Error& error) {
      fail(fmt::format("the included file cannot be read ({})", error.what()), name);
    }
    found = texts_.emplace(name, std::move(bytes)).first;
  }
  included_bytes_ += found->second.size();
  if (included_bytes_ > most_included_bytes) fail("the included files are too long", name);
  names_.emplace_back(name);
  const int file = static_cast<int>(names_.size()) - 1;
  open_.push_back({TextReader({names_.back(), found->second}, style_), file});
}

std::string_view KeywordReader::need_token(const char* expected) {
  text().need_more_on_line(expected);
  return text().token();
}

double KeywordReader::need_double(const char* expected) {
  text().need_more_on_line(expected);
  return text().need_double(expected);
}

std::int64_t KeywordReader::need_integer(const char* expected) {
  text().need_more_on_line(expected);
  return text().need_integer(expected);
}

void KeywordReader::need_end_of_line() {
  if (more_on_line()) fail("too many values on the line", text().rest_of_line());
}

void KeywordReader::continue_if_needed(const char* expected) {
  if (!more_on_line() && !next_data_line()) fail("values are missing", "", expected);
}

void note_skipped(const std::map<std::string, int>& skipped, ReadReport& report) {
  if (skipped.empty()) return;
  std::string note = "skipped";
  std::size_t named = 0;
  for (const auto& [name, count] : skipped) {
    if (named++ == most_skipped_names) {
      note += fmt::format(" and {} more", skipped.size() - most_skipped_names);
      break;
    }
    note += (named == 1 ? " " : ", ") + name;
    if (count > 1) note += fmt::format(" ({} times)", count);
  }
  report.notes.push_back(std::move(note));
}

}  // namespace pliant::io
