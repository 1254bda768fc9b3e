// SPDX-License-Identifier: MIT
// Lines of a file and of the files that it includes, for formats (VegaFEM, Abaqus) whose keyword
// lines begin with '*' and whose data lines hold values between commas or blanks.
//
//   *INCLUDE name   or   *INCLUDE, INPUT=name     stands for the lines of that file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"

namespace pliant::io {

std::string_view trimmed(std::string_view text);  // without blanks at both ends
std::vector<std::string_view> split(std::string_view text, char separator);  // trimmed parts

class KeywordReader {
 public:
  // Lines that begin with "**" are comments too.
  KeywordReader(Source source, char comment, Load load);

  // Moves to the next line that is not empty, a comment or an *INCLUDE, into and out of files.
  // False at the end.
  bool next_line();
  // The same, but stays where it is (false) before a keyword line: call next_line() to get there.
  bool next_data_line();
  // The keyword line that next_line() moved to, whole; fails on a data line.
  std::string_view keyword_line();

  // Values of the current data line.
  std::string_view need_token(const char* expected);
  bool more_on_line() { return text().more_on_line(); }
  double need_double(const char* expected);
  std::int64_t need_integer(const char* expected);
  std::string_view rest_of_line() { return text().rest_of_line(); }
  int checked_index(std::int64_t value, int base, int count, const char* what) {
    return io::checked_index(text(), value, base, count, what);
  }
  void need_end_of_line();
  // Moves to the next data line, which must be there, if this one holds no further value.
  void continue_if_needed(const char* expected);

  // The file that is being read: 0 is the outermost.
  int file() const { return open_.back().file; }
  long line() { return text().line(); }
  Place place_of(int file, long line) const {
    return {names_[static_cast<std::size_t>(file)], line, ""};
  }
  [[noreturn]] void fail(const std::string& message, std::string_view value = "",
                         const std::string& expected = "") {
    text().fail(message, value, expected);
  }

 private:
  struct Open {
    TextReader text;
    int file;
    bool untouched = true;  // no line of it was read yet
  };

  TextReader& text() { return open_.back().text; }
  bool at_keyword();
  void include(std::string_view line);

  TextReader::Style style_;
  Load load_;
  std::vector<Open> open_;
  std::vector<std::string> names_;            // of all files so far
  std::map<std::string, std::string> texts_;  // of included files, by name
  std::size_t included_bytes_ = 0;
  bool line_is_pending_ = false;  // a keyword line that next_data_line() saw
};

// One note about what was in the file and not read: name and how often.
void note_skipped(const std::map<std::string, int>& skipped, ReadReport& report);

}  // namespace pliant::io
