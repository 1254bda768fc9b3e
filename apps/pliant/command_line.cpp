// SPDX-License-Identifier: MIT
#include "command_line.hpp"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"

namespace pliant::app {
namespace {

template <class T>
bool parse_above_zero(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && value > 0;
}

template <class T>
CLI::Validator above_zero(const char* expected) {
  return CLI::Validator(
      [expected](std::string& text) {
        if (parse_above_zero<T>(text)) return std::string();
        return fmt::format("found '{}', expected {}", printable(text), expected);
      },
      "POSITIVE");
}

}  // namespace

CLI::Validator whole_from_one() {
  return above_zero<int>("a whole number from 1 to 2147483647");
}

CLI::Validator more_than_zero() {
  return above_zero<double>("a number above 0");
}

void require_output(const std::string& out, const std::string& input) {
  std::error_code ignored;
  if (std::filesystem::weakly_canonical(out, ignored) ==
      std::filesystem::weakly_canonical(input, ignored)) {
    throw Error({out, 0, ""}, "this would replace what is read", "", "another file behind -o");
  }
  require_writable(out);
}

}  // namespace pliant::app
