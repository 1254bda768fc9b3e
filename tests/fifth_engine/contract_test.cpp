// SPDX-License-Identifier: MIT
// The engine that run.py adds to a copy of the project, as it stands: what changes the contract of
// engines fails here, and not only where the copy is built.
#include <cmath>

#include <gtest/gtest.h>

#include "pliant/bake/body_plan.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/spring/spring_engine.hpp"
#include "pliant/spring/spring_settings.hpp"
#include "pliant/table/table.hpp"
#include "pliant/world/engine.hpp"

namespace pliant {

BodyPlan plan_body(const SpringSettings& spec, const PlanInput& input);

namespace {

static_assert(Engine<SpringEngine>);

TEST(FifthEngine, SatisfiesTheContract) {
  constexpr EngineOps ops = ops_of<SpringEngine>();
  EXPECT_EQ(ops.facts.name, "spring");
  EXPECT_TRUE(ops.facts.bounded);
  const std::string bytes = TensorWriter().bytes();
  const TensorView tensors(bytes, "test");
  const table::Value none{table::Object{}, {}};  // the defaults
  const double dt = 1e-3, w = 10;
  const auto model = ops.model({.tensors = tensors,
                                .prefix = "mass/",
                                .settings = none,
                                .regions = {},
                                .dt = dt,
                                .free = false});
  const auto state = ops.state(model.get(), {{1, 2, 3}, Eigen::Quaterniond::Identity()});
  const Index r = ops.size(model.get());
  Load load(r, false);
  load.force = {2, 0, 0};
  Motion motion(r);
  const int steps = 100;
  for (int i = 0; i < steps; ++i) {
    ASSERT_EQ(ops.step(model.get(), load, state.get()), StepStatus::ok);
  }
  ops.motion(model.get(), state.get(), motion);
  // From rest under a force: x = F/k (1 - cos w t), of the default k = 100 N/m and M = 1 kg.
  EXPECT_NEAR(motion.pose.position.x(), 1 + 0.02 * (1 - std::cos(w * steps * dt)), 1e-12);
}

TEST(FifthEngine, IsPlannedByItsSettingsAlone) {
  BakeGraph graph;
  const BodySpec body;
  const std::vector<BodyRegion> regions;
  const SpringSettings settings{.stiffness = 7, .mass = 1, .offset = 0};
  const BodyPlan plan = plan_body(settings, {graph, body, regions, 0});
  EXPECT_EQ(plan.settings["stiffness"], 7.0);
  EXPECT_FALSE(plan.basis.has_value());
}

}  // namespace
}  // namespace pliant
