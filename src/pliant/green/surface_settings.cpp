// SPDX-License-Identifier: MIT
#include "pliant/green/surface_settings.hpp"

#include "pliant/base/text.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

using table::Reader;
using table::Table;
using table::Value;

const Table<GreenSurfaceSettings>& green_surface_table() {
  static const Table<GreenSurfaceSettings> all = [] {
    Table<GreenSurfaceSettings> t(
        "Small deformations without inertia of a homogeneous body that is held somewhere, by "
        "boundary "
        "elements: its surface alone is needed, closed and turned outward. What is rigid presses "
        "on "
        "it without overlap, friction or pull.");
    t.key({.name = "contacts",
           .least = 1,
           .most = 2000,
           .description = "Nodes of the surface that can touch at once."},
          &GreenSurfaceSettings::contacts);
    return t;
  }();
  return all;
}

GreenSurfaceSettings read_green_surface_settings(const Value& value) {
  GreenSurfaceSettings settings;
  Reader reader;
  green_surface_table().read(value, settings, reader);
  return settings;
}

std::string GreenSurfaceSettings::words() const {
  return "green, boundary elements, at most " + text(contacts) + " nodes in contact";
}

}  // namespace pliant
