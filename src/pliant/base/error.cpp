// SPDX-License-Identifier: MIT
#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr std::size_t longest_value = 80;

std::string compose(const Place& place, const std::string& message, const std::string& value,
                    const std::string& expected) {
  std::string text;
  if (!place.file.empty()) {
    text += place.file;
    if (place.line > 0) {
      text += ":" + std::to_string(place.line);
      if (place.column > 0) text += ":" + std::to_string(place.column);
    }
    text += ": ";
  }
  if (!place.item.empty()) text += place.item + ": ";
  text += message;
  if (!value.empty()) text += ": found '" + printable(value) + "'";
  if (!expected.empty()) text += (value.empty() ? ": expected " : ", expected ") + expected;
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out(text.substr(0, longest_value));
  for (char& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  if (text.size() > longest_value) out += "...";
  return out;
}

Error::Error(const std::string& message) : std::runtime_error(message) {}

Error::Error(Place place, const std::string& message, const std::string& value,
             const std::string& expected)
    : std::runtime_error(compose(place, message, value, expected)), place_(std::move(place)) {}

}  // namespace pliant
