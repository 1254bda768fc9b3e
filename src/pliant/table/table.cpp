// SPDX-License-Identifier: MIT
#include "pliant/table/table.hpp"

namespace pliant::table {

std::string toml_text(const Json& value) {
  if (value.is_array()) {
    std::string text;
    for (const Json& item : value) text += (text.empty() ? "" : ", ") + toml_text(item);
    return "[" + text + "]";
  }
  std::string text = value.dump();
  if (value.is_number_float() && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace pliant::table
