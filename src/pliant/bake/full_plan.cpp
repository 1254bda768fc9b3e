// SPDX-License-Identifier: MIT
// A full body needs its mesh and nothing else.
#include "pliant/bake/body_plan.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

BodyPlan plan_body(const FullSpec& spec, const PlanInput&) {
  return {.settings = full_settings_table().write(spec)};
}

}  // namespace pliant
