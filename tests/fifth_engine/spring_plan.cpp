// SPDX-License-Identifier: MIT
// A body on a spring needs its surface and nothing else.
#include "pliant/bake/body_plan.hpp"
#include "pliant/spring/spring_settings.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

BodyPlan plan_body(const SpringSettings& spec, const PlanInput&) {
  return {.settings = spring_settings_table().write(spec)};
}

}  // namespace pliant
