// SPDX-License-Identifier: MIT
#include "pliant/scene/engine_spec.hpp"

#include "pliant/table/table.hpp"

namespace pliant {

const table::Table<EngineSpec>& engine_table() {
  static const table::Table<EngineSpec> all = [] {
    table::Table<EngineSpec> t("What moves the body.");
    t.alternative(ReducedSpec::engine, reduced_spec_table());
    t.alternative(FullSpec::engine, full_settings_table());
    t.alternative(RigidSpec::engine, rigid_settings_table());
    return t;
  }();
  return all;
}

}  // namespace pliant
