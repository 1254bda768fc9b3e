// SPDX-License-Identifier: MIT
// Bodies as data: instances, rigid bodies, handles, refusals, stages one by one.
#include <gmock/gmock.h>

#include "pliant/base/tensor_file.hpp"
#include "pliant/world/desktop.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;
using test::beam;

Scene rigid_box(const std::string& engine, const std::string& more = "") {
  return parse_scene(
      "gravity = [0, -10, 0]\n[body.box]\n"
      "mesh = { model = \"cube\", parameters = { size = 0.2 } }\n"
      "pose = { position = [1, 2, 3] }\n"
      "engine = " +
          engine + "\n" + more,
      "box.toml", ".");
}

class WorldBodies : public testing::Test {
 protected:
  World open(const Scene& scene) {
    bake_into(folder_, scene, "scene.pliant");
    return World(TensorFile(folder_ / "scene.pliant"), desktop_options());
  }
  test::TemporaryFolder folder_;
};

TEST_F(WorldBodies, InstancesShareTheirModelAndMoveByThemselves) {
  Scene scene = beam();
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()));
  scene.bodies[0].instances = {Pose{}, Pose{{0, 0, 2}, Eigen::Quaterniond::Identity()},
                               Pose{{0, 5, 0}, turned}};
  World world = open(scene);
  ASSERT_EQ(world.body_count(), 3);
  EXPECT_EQ(world.data().models.size(), 1U);
  EXPECT_EQ(world.body(1).name, "beam.1");
  World alone = open(beam());
  for (int i = 0; i < 50; ++i) {
    world.step();
    alone.step();
  }
  EXPECT_EQ(world.body(0).motion.c, alone.body(0).motion.c);
  EXPECT_EQ(world.body(1).motion.c, alone.body(0).motion.c);
  EXPECT_NE(world.body(2).motion.c, alone.body(0).motion.c) << "gravity is from its side";
  EXPECT_LT((world.position(1, 7) - world.position(0, 7) - Vector3d(0, 0, 2)).norm(), 1e-12);
  // One is pulled: the others do not feel it. A material is the model's: all change.
  world.apply(command::Force{.body = 1, .point = 7, .force = {0, 5, 0}});
  for (int i = 0; i < 50; ++i) world.step();
  EXPECT_NE(world.body(1).motion.c, world.body(0).motion.c);
  EXPECT_EQ(world.apply(command::Material{.body = 1, .constants = {2e6, 1e6, 900}}), Refusal::none);
  const WorldState state = world.make_state();
  for (const BodyState& body : state.bodies) EXPECT_EQ(body.settings.regions[0].mu, 1e6);
}

TEST_F(WorldBodies, AFreeRigidBodyFallsAndAFixedOneStays) {
  World free = open(rigid_box("{ kind = \"rigid\", motion = \"free\", density = 500 }"));
  World fixed = open(rigid_box("{ kind = \"rigid\" }"));
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(free.step(), StepStatus::ok);
    fixed.step();
  }
  EXPECT_NEAR(free.body(0).motion.pose.position.y(), 2 - 0.5 * 10 * 0.25, 1e-9);
  EXPECT_EQ(fixed.body(0).motion.pose.position, Vector3d(1, 2, 3));
  const WorldState state = free.make_state();
  EXPECT_NEAR(state.bodies[0].energy.kinetic, 0.5 * 500 * 0.008 * 25, 1e-6);
}

TEST_F(WorldBodies, AKinematicBodyGoesWhereItIsTold) {
  World world = open(rigid_box("{ kind = \"rigid\", motion = \"kinematic\" }"));
  EXPECT_EQ(world.apply(command::Move{.body = 0, .position = {0, 1, 0}}), Refusal::none);
  world.step();
  EXPECT_EQ(world.body(0).motion.pose.position, Vector3d(0, 1, 0));
  EXPECT_LT((world.body(0).motion.velocity - Vector3d(-1, -1, -3) / world.dt()).norm(), 1e-6);
  world.step();
  EXPECT_EQ(world.body(0).motion.velocity, Vector3d::Zero());
  EXPECT_EQ(world.apply(command::Move{.body = 0, .rotation = {0, 0, 0, 0}}), Refusal::out_of_range);
}

TEST_F(WorldBodies, WhatABodyCannotDoIsRefusedWithTheReason) {
  World world = open(rigid_box("{ kind = \"rigid\" }"));
  EXPECT_EQ(world.apply(command::Move{.body = 0}), Refusal::not_able);
  EXPECT_EQ(world.apply(command::Material{.body = 0, .constants = {1, 1, 1}}), Refusal::not_able);
  EXPECT_EQ(world.apply(command::Control{.body = 0}), Refusal::not_able);
  EXPECT_EQ(world.apply(command::Handle{}), Refusal::no_handle);
  EXPECT_EQ(world.apply(command::Active{.body = 3, .count = 1}), Refusal::no_body);
  EXPECT_EQ(world.apply(command::Pull{.point = 1 << 30}), Refusal::no_point);
  EXPECT_EQ(world.apply(command::Release{.slot = 99}), Refusal::no_slot);
  EXPECT_EQ(world.apply(command::Advance{.steps = 1 << 30}), Refusal::too_many);
  const WorldState state = world.make_state();
  EXPECT_EQ(state.refused_commands, 8);
  const RefusedCommand& last = state.refusals[8 % WorldState::kept_refusals];
  EXPECT_EQ(last.number, 8);
  EXPECT_EQ(last.reason, Refusal::too_many);
  for (int i = 0; i <= static_cast<int>(Refusal::too_many); ++i) {
    EXPECT_EQ(std::string(words_of(static_cast<Refusal>(i))).empty(), i == 0);
  }
}

TEST_F(WorldBodies, AStiffSpringOfAHandIsTakenByTheStep) {
  for (const char* engine : {"{ kind = \"rigid\", motion = \"free\" }",
                             "{ kind = \"rigid\", motion = \"free\", density = 10 }"}) {
    World world = open(rigid_box(engine));
    world.apply(command::Gravity{});
    const Vector3d target = world.position(0, 0) + Vector3d(0.1, 0, 0);
    world.apply(command::Pull{.point = 0, .target = target, .stiffness = 1e9});
    for (int i = 0; i < 3000; ++i) EXPECT_EQ(world.step(), StepStatus::ok);
    EXPECT_LT((world.position(0, 0) - target).norm(), 1e-3) << engine;
  }
  for (const char* held : {"", "fixed = []\n"}) {
    Scene scene = beam();
    if (*held) scene.bodies[0].fixed.emplace();
    World world = open(scene);
    world.apply(command::Gravity{});
    int tip = 0;
    for (int p = 0; p < world.point_count(0); ++p) {
      if (world.position(0, p).x() > world.position(0, tip).x()) tip = p;
    }
    const Vector3d target = world.position(0, tip) + Vector3d(0, 0.05, 0);
    world.apply(command::Pull{.point = tip, .target = target, .stiffness = 1e9});
    double most = 0;
    for (int i = 0; i < 3000; ++i) {
      world.step();
      most = std::max(most, (world.position(0, tip) - target).norm());
    }
    EXPECT_LT(most, 0.06) << held;
    EXPECT_LT((world.position(0, tip) - target).norm(), 1e-4) << held;
  }
}

TEST_F(WorldBodies, ACallerActsBetweenTheTwoPartsOfAStep) {
  World by_command = open(beam()), by_hand = open(beam());
  by_command.apply(command::Force{.point = 7, .force = {0, 0, 3}});
  for (int i = 0; i < 20; ++i) {
    by_command.step();
    by_hand.begin_step();
    by_hand.add_force(0, 7, {0, 0, 3});
    by_hand.end_step();
  }
  EXPECT_EQ(by_command.body(0).motion.c, by_hand.body(0).motion.c);
}

TEST_F(WorldBodies, StagesDoOneThingEach) {
  bake_into(folder_, beam(), "scene.pliant");
  const TensorFile asset(folder_ / "scene.pliant");
  const AssetHead head = read_asset_head(asset);
  WorldData world = make_world(asset, head, engines(), nullptr);
  stages::clear_loads(world);
  EXPECT_TRUE(world.bodies[0].load.Q.isZero(0.0));
  stages::gravity(world);
  const VectorXd weight = world.bodies[0].load.Q;
  EXPECT_GT(weight.norm(), 0);
  stages::gravity(world);
  EXPECT_LT((world.bodies[0].load.Q - 2 * weight).norm(), 1e-12 * weight.norm());
  stages::clear_loads(world);
  EXPECT_EQ(stages::obey(world, command::Force{.point = 3, .force = {1, 2, 3}}), Refusal::none);
  stages::pulls(world);
  EXPECT_EQ(world.bodies[0].load.force, Vector3d(1, 2, 3));
  EXPECT_FALSE(world.bodies[0].load.tangent.used);
  EXPECT_EQ(world.step_count, 0);
  stages::step(world);
  EXPECT_EQ(world.step_count, 1);
}

TEST_F(WorldBodies, EnginesAreFoundByNameAndTellTheirFacts) {
  EXPECT_EQ(find_engine(engines(), "nothing"), nullptr);
  for (const char* name : {"reduced", "rigid", "full"}) {
    ASSERT_NE(find_engine(engines(), name), nullptr);
    EXPECT_EQ(facts_of_engine(name).name, name);
  }
  EXPECT_FALSE(facts_of_engine("full").bounded);
  EXPECT_TRUE(facts_of_engine("full").dense);
  EXPECT_TRUE(facts_of_engine("reduced").edits.material);
  EXPECT_TRUE(facts_of_engine("rigid").edits.pose);
  EXPECT_EQ(find_engine(runtime_engines(), "full"), nullptr);
}

TEST_F(WorldBodies, StepsThatAreOwedAreBoundedAndAPauseDropsThem) {
  World world = open(rigid_box("{ kind = \"rigid\" }"));
  world.apply(command::Pause{.on = true});
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(world.apply(command::Advance{.steps = 1000}), Refusal::none);
  }
  EXPECT_EQ(world.apply(command::Advance{.steps = 1}), Refusal::too_many);
  world.step();
  EXPECT_EQ(world.data().step_count, 1);
  world.apply(command::Pause{.on = true});
  world.step();
  EXPECT_EQ(world.data().step_count, 1);
}

}  // namespace
}  // namespace pliant
