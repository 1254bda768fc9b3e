// SPDX-License-Identifier: MIT
#include "pliant/scene/schema.hpp"

#include "pliant/scene/tables.hpp"

namespace pliant {

const std::vector<SchemaSection>& schema() {
  static const std::vector<SchemaSection> sections = [] {
    table::Sections all;
    scene::scene_table().document("", "", false, all);
    return all;
  }();
  return sections;
}

}  // namespace pliant
