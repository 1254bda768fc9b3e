// SPDX-License-Identifier: MIT
// What a user may set of a body that is pressed at its surface (surface_engine.hpp), and the keys for
// it.
#pragma once

#include <string>

namespace pliant {

namespace table {
struct Value;
template <class T>
class Table;
}  // namespace table

struct GreenSurfaceSettings {
  static constexpr const char* engine = "green_surface";
  static constexpr bool needs_volume = false, elastic_surface = true;

  int contacts = 256;  // nodes that can touch at once

  std::string words() const;
};

const table::Table<GreenSurfaceSettings>& green_surface_table();
// Throws Error at the place of what is wrong.
GreenSurfaceSettings read_green_surface_settings(const table::Value& value);

}  // namespace pliant
