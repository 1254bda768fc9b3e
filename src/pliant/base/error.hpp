// SPDX-License-Identifier: MIT
// The one exception of offline code. Its text says where (file, line or item), what is wrong, which
// value was found and what was expected, so that a user can mend the input without a debugger.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace pliant {

// Where in a user's input something is. Any part may be absent.
struct Place {
  std::string file;  // path or name of the input
  long line = 0;     // 1-based; 0: not a line-oriented place
  std::string item;  // e.g. "element 17", "body.spoon.material"
  long column = 0;   // 1-based, with a line; 0: not known
};

// A user's bytes as they may be shown: UTF-8 stays as it is; control characters, those that turn the
// direction of the text and what is not UTF-8 become '?', and what is too long is cut.
std::string printable(std::string_view text);

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);
  // "file:line:column: item: message: found 'value', expected expected"; empty parts are left out.
  Error(Place place, const std::string& message, const std::string& value = "",
        const std::string& expected = "");

  const Place& place() const { return place_; }

 private:
  Place place_;
};

// Thrown by long work when its Progress was cancelled.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

}  // namespace pliant
