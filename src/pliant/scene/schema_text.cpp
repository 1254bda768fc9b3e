// SPDX-License-Identifier: MIT
// The page of the documentation about scene files.
#include <cmath>

#include <fmt/format.h>

#include "pliant/scene/schema.hpp"

namespace pliant {
namespace {

constexpr const char* introduction = R"(# Scene files

<!-- Made by `pliant info --schema --markdown` from the table of keys in src/pliant/scene/. -->

A scene says which bodies there are, what they are made of, which engine moves them and how they are touched and looked at. It is a [TOML](https://toml.io) file; `examples/` has some to start from. `pliant info SCENE.toml` reads one and says in words what it means.

```toml
title = "A rubber beam"

[material.rubber]
young = 5e6        # Pa
poisson = 0.45
density = 1100     # kg/m^3

[body.beam]
mesh = { model = "cantilever", parameters = { length = 0.4 } }
meshing = { kind = "voxels", resolution = 40 }
material = "rubber"
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
engine = { kind = "reduced", k = 10, r = 12 }
```

**Units.** All numbers are in SI units, but for lengths: those keys whose unit below is **m** are in the `units` of the file that they stand in (`"m"`, `"cm"` or `"mm"`), and so are a model's parameters in metres and the coordinates of a mesh file, unless the mesh says its own `units`. Everything else stays SI whatever the units of length: pressure in Pa, density in kg/m^3, gravity in m/s^2, stiffness in N/m.

**Values.** A colour is `"#rrggbb"`. A rotation is a quaternion `[w, x, y, z]` of any length but 0, or `{ axis = [x, y, z], degrees = 90 }`. A list of tables is written as `fixed = [{ .. }, { .. }]` or as sections `[[body.NAME.fixed]]`; a table as `engine = { k = 20 }`, as `engine.k = 20` or as a section `[body.NAME.engine]`.

**Paths** are relative to the file that they stand in.

**Includes.** `include = ["materials.toml"]` reads other scene files first; what this file says overrides them, key by key: tables are merged, anything else, lists too, is replaced. A table that says another `kind` replaces the one below it whole.

**Errors** name the file, the line and the column. A key that is not listed here is an error, which names the nearest that is.

**Kinds.** Some tables are of one of several kinds, chosen by their key `kind`; each has keys of its own.
)";

std::string range_text(const KeyInfo& key) {
  const bool low = std::isfinite(key.least), high = std::isfinite(key.most);
  std::string text;
  for (const std::string& word : key.options)
    text += (text.empty() ? "" : " ") + ("`" + word + "`");
  if (low && high && !key.above) return fmt::format("{:g} to {:g}", key.least, key.most);
  if (low) text += fmt::format("{} {:g}", key.above ? ">" : ">=", key.least);
  if (high) text += fmt::format("{}<= {:g}", low ? ", " : "", key.most);
  return text;
}

std::string default_text(const KeyInfo& key) {
  if (key.required) return "**required**";
  // Values are code, words are not.
  const std::string& text = key.default_text;
  const bool is_value =
      !text.empty() && (std::string("\"[-0123456789").find(text[0]) != std::string::npos ||
                        text == "true" || text == "false");
  return is_value ? "`" + text + "`" : text;
}

std::string heading(const SchemaSection& section) {
  if (section.path.empty()) return "## The top of the file";
  std::string text = section.list ? "[[" + section.path + "]]" : "[" + section.path + "]";
  text = (section.kind.empty() ? "## `" : "### `") + text + "`";
  if (!section.kind.empty()) text += fmt::format(" of `kind = \"{}\"`", section.kind);
  if (!section.within.empty()) text += fmt::format(", where `{}`", section.within);
  return text;
}

}  // namespace

std::string schema_markdown() {
  std::string out = introduction;
  for (const SchemaSection& section : schema()) {
    out += "\n" + heading(section) + "\n\n" + section.description + "\n";
    if (section.keys.empty()) continue;
    out += "\n| key | type | unit | allowed | default | |\n|---|---|---|---|---|---|\n";
    for (const KeyInfo& key : section.keys) {
      out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, name_of(key.type),
                         key.unit, range_text(key), default_text(key), key.description);
    }
  }
  return out;
}

}  // namespace pliant
