// SPDX-License-Identifier: MIT
// A hand that holds a body of a scene, by the coupling of its handle.
#include "pliant/world/hold.hpp"

#include <gmock/gmock.h>

#include "pliant/base/random.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/world/contact_stage.hpp"
#include "pliant/world/desktop.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;
using test::TemporaryFolder;

const std::string ball_mesh = "mesh = { model = \"sphere\", parameters = { radius = 0.05 } }\n";

std::string scene_text(const std::string& handle, const std::string& ball = ball_mesh) {
  return "gravity = [0, 0, 0]\n"
         "[contact]\nstiffness = 20000\n"
         "[body.floor]\nshape = [{ kind = \"plane\" }]\n"
         "[body.tool]\n" +
         ball +
         "pose = { position = [0, 0.08, 0] }\n"
         "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
         "contact = { resolution = 48, points = 2000 }\n"
         "[handle]\nbody = \"tool\"\n" +
         handle + "[device]\nkind = \"viewer\"\n";
}

class Holding {
 public:
  explicit Holding(const std::string& handle, const std::string& ball = ball_mesh)
      : asset_(bake_into(folder_, parse_scene(scene_text(handle, ball), "hold.toml", "."))),
        world_(asset_, desktop_options()),
        state_(world_.make_state()) {}

  World& world() { return world_; }
  void to(const Vector3d& place, const Vector3d& turned = Vector3d::Zero()) {
    const Eigen::Quaterniond q = rotation_by(turned);
    EXPECT_EQ(world_.apply(command::Handle{place, {q.w(), q.x(), q.y(), q.z()}}), Refusal::none);
  }
  const WorldState& after(int steps) {
    for (int n = 0; n < steps; ++n) world_.step();
    world_.state(state_);
    return state_;
  }
  const Pose& tool() { return state_.bodies[1].pose; }

 private:
  TemporaryFolder folder_;
  TensorFile asset_;
  World world_;
  WorldState state_;
};

TEST(Hold, TheBodyFollowsTheHandInFreeSpace) {
  Holding holding("");
  holding.to({0.02, 0.1, 0.01}, {0.3, 0.2, 0});
  const WorldState& state = holding.after(400);
  EXPECT_EQ(state.hold.body, 1);
  EXPECT_LT((holding.tool().position - Vector3d(0.02, 0.1, 0.01)).norm(), 1e-6);
  EXPECT_LT(
      rotation_vector(rotation_by({0.3, 0.2, 0}) * holding.tool().rotation.conjugate()).norm(),
      1e-4);
  EXPECT_LT(state.hold.felt.on_hand.norm(), 1e-4);
}

// What contact and spring do to the body cancels, and the hand feels the spring.
TEST(Hold, IsStoppedByAFloorAndFeelsIt) {
  for (const std::string coupling : {"static", "dynamic"}) {
    Holding holding("coupling = \"" + coupling + "\"\nstiffness = 500\nmost_force = 50\n" +
                    "device_force = 100\n");
    holding.to({0, 0.02, 0});  // 30 mm into the floor
    const WorldState& state = holding.after(1500);
    const double y = holding.tool().position[1];
    EXPECT_GT(y, 0.045) << coupling;
    EXPECT_LT(y, 0.05) << coupling;
    const double on_tool = state.bodies[1].contact_force[1];
    EXPECT_NEAR(on_tool, 500 * (y - 0.02), 0.02 * on_tool) << coupling;
    EXPECT_NEAR(state.hold.felt.on_hand[1], 500 * (y - 0.02), 0.02 * on_tool) << coupling;
    EXPECT_FALSE(state.contacts.empty());
  }
}

// However far the hand goes, the spring pulls no harder than it may.
TEST(Hold, PressesNoDeeperThanItsLargestForce) {
  Holding holding("stiffness = 500\nmost_force = 2\n");
  holding.to({0, -0.5, 0});
  const WorldState& state = holding.after(2000);
  EXPECT_NEAR(state.bodies[1].contact_force[1], 2.0, 0.05);
  EXPECT_GT(holding.tool().position[1], 0.049);
}

TEST(Hold, WithoutCouplingTheBodyGoesThroughEverything) {
  Holding holding("coupling = \"none\"\n");
  holding.to({0, 0.02, 0});
  holding.after(400);
  EXPECT_NEAR(holding.tool().position[1], 0.02, 1e-6);
}

// Of random ways of the hand the force changes by no more than its stiffness allows, and steps
// allocate nothing.
TEST(Hold, RendersNoJumps) {
  Holding holding("stiffness = 500\nmost_force = 5\ndevice_force = 20\n");
  Random random(3);
  Vector3d at(0, 0.05, 0);
  Vector6d last = Vector6d::Zero();
  WorldState state = holding.world().make_state();
  double most = 0;
  const test::AllocationCounter counter;
  for (int n = 0; n < 20000; ++n) {
    if (n % 16 == 0) {
      for (double& x : at) x += 2e-3 * random.normal();
      at[1] = std::clamp(at[1], 0.03, 0.08);
      at[0] = std::clamp(at[0], -0.1, 0.1);
      at[2] = std::clamp(at[2], -0.1, 0.1);
      holding.world().apply(command::Handle{at, {1, 0, 0, 0}});
    }
    holding.world().step();
    holding.world().state(state);
    const Vector6d felt = state.hold.felt.on_hand;
    ASSERT_TRUE(felt.allFinite());
    most = std::max(most, (felt - last).head<3>().norm());
    last = felt;
  }
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  EXPECT_LT(most, 1.0);  // 500 N/m over the 2 mm that hand and body may go in a cycle
}

// However fast the hand: a plate thicker than what the tool may go in a cycle and be pressed in.
TEST(Hold, DoesNotPassThroughAPlateAtAnySpeedOfTheHand) {
  TemporaryFolder folder;
  std::string text = scene_text("stiffness = 2000\nmost_force = 20\nspeed = 1.2\n");
  const std::string floor = "shape = [{ kind = \"plane\" }]";
  text.replace(text.find(floor), floor.size(),
               "shape = [{ kind = \"box\", sides = [0.5, 0.006, 0.5] }]");
  const TensorFile asset(bake_into(folder, parse_scene(text, "plate.toml", ".")));
  World world(asset, desktop_options());
  Random random(2);
  for (int n = 0; n < 4000; ++n) {
    if (n % 5 == 0) {
      const Vector3d to(random.uniform(-0.05, 0.05), random.uniform(-2, 0.3),
                        random.uniform(-0.05, 0.05));
      world.apply(command::Handle{to, {1, 0, 0, 0}});
    }
    world.step();
    // The middle of the tool is above the plate, and so is all but what is pressed in.
    ASSERT_GT(world.body(1).motion.pose.position[1], 0.047) << n;
  }
}

// A ball that is a formula feels the floor, which is one too, as a ball of triangles does.
TEST(Hold, AFormulaIsPressedOnAnother) {
  const auto felt = [](const std::string& ball) {
    Holding holding("", ball);
    holding.to({0, 0.045, 0});
    return Vector3d(holding.after(2000).hold.felt.on_hand.head<3>());
  };
  const Vector3d mesh = felt(ball_mesh);
  const Vector3d formula = felt("shape = [{ kind = \"sphere\", radius = 0.05 }]\n");
  EXPECT_GT(mesh[1], 0.3);
  EXPECT_LT((formula - mesh).norm(), 0.05 * mesh.norm());
}

// ---- Solved together with what it touches.

std::string soft_scene(const std::string& coupling) {
  return "gravity = [0, 0, 0]\n[contact]\ndamping = 0\n"
         "[material.jelly]\nyoung = 2e4\npoisson = 0.4\ndensity = 1000\n"
         "[body.block]\nmesh = { model = \"cube\", parameters = { size = 0.1 } }\n"
         "meshing = { kind = \"voxels\", resolution = 5, enlargement = 1 }\nmaterial = \"jelly\"\n"
         "fixed = [{ kind = \"plane\", point = [0, -0.0499, 0], normal = [0, 1, 0] }]\n"
         "engine = { kind = \"reduced\", k = 6, r = 12, damping = { alpha = 1, beta = 2e-3 } }\n"
         "contact = { role = \"shell\", points = 2000 }\n"
         "[body.tool]\nshape = [{ kind = \"sphere\", radius = 0.03 }]\n"
         "pose = { position = [0.01, 0.085, 0] }\n"
         "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
         "contact = { role = \"field\" }\n"
         "[handle]\nbody = \"tool\"\nstiffness = 300\nmost_force = 10\ndamping = 0\n"
         "coupling = \"" +
         coupling + "\"\n[device]\nkind = \"viewer\"\n";
}

class SoftHolding {
 public:
  explicit SoftHolding(const std::string& coupling)
      : asset_(bake_into(folder_, parse_scene(soft_scene(coupling), "soft.toml", "."))),
        world_(asset_, desktop_options()) {}
  const TensorFile& asset() const { return asset_; }
  World& world() { return world_; }
  void press(int steps) {
    world_.apply(command::Handle{{0.012, 0.07, 0.003}, {1, 0, 0, 0}});
    for (int n = 0; n < steps; ++n) world_.step();
  }
  Vector6d felt() { return world_.data().hold.felt.on_hand; }

 private:
  TemporaryFolder folder_;
  TensorFile asset_;
  World world_;
};

TEST(Hold, SolvedTogetherComesToTheSameRestWithoutAllocation) {
  SoftHolding apart("static"), together("coupled");
  apart.press(3000);
  together.press(300);
  const test::AllocationCounter counter;
  together.press(2700);
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  EXPECT_TRUE(together.world().data().hold.yielding[0].used);
  EXPECT_GT(apart.felt().head<3>().norm(), 0.5);
  EXPECT_LT((apart.felt() - together.felt()).head<3>().norm(), 0.01 * apart.felt().norm());
}

// C against its definition: how the force on the tool changes with each coefficient of the block.
TEST(Hold, TheForceChangesWithTheBodyAsTheCrossTermSays) {
  SoftHolding holding("coupled");
  holding.press(1000);
  // The same state in a world of its own, at rest.
  WorldData world =
      make_world(holding.asset(), read_asset_head(holding.asset()), engines(), make_thread_worker);
  const WorldData& own = holding.world().data();
  for (std::size_t b = 0; b < 2; ++b) {
    world.bodies[b].motion = own.bodies[b].motion;
    world.bodies[b].motion.dc.setZero();
    world.bodies[b].motion.velocity.setZero();
    world.bodies[b].motion.angular_velocity.setZero();
  }
  world.hold.start = world.hold.target = world.hold.hand = own.hold.hand;
  const auto force = [&] {
    stages::clear_loads(world);
    stages::contact(world);
    return Vector3d(world.bodies[1].load.force);
  };
  force();
  ASSERT_GT(world.contact.counters.contacts, 2);
  stages::hold(world);
  ASSERT_TRUE(world.hold.yielding[0].used);
  const MatrixXd C = world.hold.yielding[0].contact->C;
  double off = 0, size = 0;
  for (Index k = 0; k < C.cols(); ++k) {
    const float h = 1e-4F * world.bodies[0].motion.c.norm();
    const float at = world.bodies[0].motion.c[k];
    world.bodies[0].motion.c[k] = at + h;
    const Vector3d above = force();
    world.bodies[0].motion.c[k] = at - h;
    const Vector3d below = force();
    world.bodies[0].motion.c[k] = at;
    const Vector3d slope = (above - below) / (2.0 * static_cast<double>(h));
    off += (slope - C.col(k).head<3>()).squaredNorm();
    size += slope.squaredNorm();
  }
  // Normals turn and points enter: terms of the size of the depth.
  EXPECT_LT(std::sqrt(off / size), 0.2);
}

// ---- A body that moves by itself.

// Carried in the air, its weight is felt; set down on the floor, its softness.
TEST(Hold, CarriesASoftBodyWhoseWeightIsFelt) {
  TemporaryFolder folder;
  const std::string text =
      "[material.jelly]\nyoung = 4e4\npoisson = 0.4\ndensity = 1000\n"
      "[body.floor]\nshape = [{ kind = \"plane\" }]\n"
      "[body.block]\nmesh = { model = \"cube\", parameters = { size = 0.1 } }\n"
      "meshing = { kind = \"voxels\", resolution = 4, enlargement = 1 }\nmaterial = \"jelly\"\n"
      "pose = { position = [0, 0.2, 0] }\nfixed = []\n"
      "engine = { kind = \"reduced\", k = 6, r = 12, coupling = \"full\", "
      "damping = { alpha = 1, beta = 3e-3 } }\n"
      "contact = { points = 1500 }\n"
      "[handle]\nbody = \"block\"\nstiffness = 1000\nmost_force = 100\ndevice_force = 200\n"
      "[device]\nkind = \"viewer\"\n";
  const TensorFile asset(bake_into(folder, parse_scene(text, "carried.toml", ".")));
  World world(asset, desktop_options());
  const double weight = 9.81;  // of a litre
  world.apply(command::Handle{{0.05, 0.25, 0}, {1, 0, 0, 0}});
  for (int n = 0; n < 1000; ++n) world.step();
  const test::AllocationCounter counter;
  for (int n = 0; n < 1000; ++n) world.step();
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  const Vector6d& felt = world.data().hold.felt.on_hand;
  EXPECT_NEAR(felt[1], -weight, 0.02 * weight);
  // It hangs below the hand by what the spring gives.
  EXPECT_NEAR(world.body(0).motion.pose.position[1], 0.25 - weight / 1000, 0.002);
  EXPECT_NEAR(world.body(0).motion.pose.position[0], 0.05, 0.001);
  // Set down, the floor bears it: less and less is felt, then the floor itself.
  world.apply(command::Handle{{0.05, 0.03, 0}, {1, 0, 0, 0}});
  for (int n = 0; n < 2500; ++n) world.step();
  EXPECT_GT(felt[1], 0.2 * weight);
  EXPECT_GT(world.data().contact.counters.contacts, 0);
  EXPECT_GT(world.body(0).motion.c.norm(), 0);
}

// Another place is held, in contact and turned: the force stays, and what is held then turns about the
// new one.
TEST(Hold, TheGraspedPointChangesWithoutAJump) {
  for (const char* coupling : {"static", "dynamic"}) {
    Holding holding(std::string("stiffness = 500\nmost_force = 5\ncoupling = \"") + coupling +
                    "\"\n");
    holding.to({0.01, 0.045, 0}, {0, 0, 0.2});
    const Vector6d before = holding.after(1000).hold.felt.on_hand;
    EXPECT_GT(before.head<3>().norm(), 0.5) << coupling;
    const Vector3d grasp(0.04, 0, 0);
    const auto stretch = [&] {
      const WorldData& data = holding.world().data();
      const Vector3d held = data.bodies[1].motion.pose.to_world(data.hold.grasp);
      return Vector3d(data.hold.hand.position - held);
    };
    const Vector3d stretched = stretch();
    ASSERT_EQ(holding.world().apply(command::Grasp{grasp}), Refusal::none);
    EXPECT_LT((stretch() - stretched).norm(), 1e-12) << coupling;
    const WorldState& state = holding.after(1);
    // 500 N/m over what the body may go in a cycle, four of its sizes a second; and where it has mass
    // the damper, as it begins to turn about the new place.
    const double bound = 500 * 4 * 0.18 * 1e-3 + (*coupling == 'd' ? 0.5 : 0.0);
    EXPECT_LT((state.hold.felt.on_hand - before).head<3>().norm(), bound) << coupling;
    EXPECT_EQ(state.hold.grasp, grasp);
    EXPECT_EQ(holding.world().apply(command::Grasp{{NAN, 0, 0}}), Refusal::out_of_range);
    // In free space the grasped point goes where the hand has it.
    holding.to({0, 0.2, 0}, {0, 0, 0.5});
    holding.after(1500);
    const Pose hand{{0, 0.2, 0}, rotation_by(Vector3d(0, 0, 0.5))};
    EXPECT_LT((holding.tool().to_world(grasp) - hand.to_world(grasp)).norm(), 1e-4) << coupling;
    // And a reset brings all back to where it began, held as it is held now.
    holding.world().apply(command::Reset{});
    EXPECT_LT((holding.after(50).bodies[1].pose.position - Vector3d(0, 0.08, 0)).norm(), 1e-6);
  }
}

TEST(Hold, ABodyThatCannotBeMovedIsRefused) {
  TemporaryFolder folder;
  const std::string text =
      "[body.floor]\nshape = [{ kind = \"plane\" }]\n[handle]\nbody = \"floor\"\n";
  const TensorFile asset(bake_into(folder, parse_scene(text, "fixed.toml", ".")));
  EXPECT_THROW(World(asset, desktop_options()), Error);
}

// Nobody is there who presses: the hand yields to its body, which the floor pushes out. A spring that
// is stiffer than the contact would keep most of its force if the hand only stayed where the body is.
TEST(Hold, LettingGoEndsTheForceWithoutAJump) {
  for (const std::string coupling : {"static", "dynamic"}) {
    Holding holding("stiffness = 20000\nmost_force = 50\ncoupling = \"" + coupling + "\"\n");
    holding.to({0, 0.046, 0});
    double last = holding.after(800).hold.felt.on_hand[1];
    const double pressed = last;
    EXPECT_GT(pressed, 5.0) << coupling;
    EXPECT_EQ(holding.world().apply(command::LetGo{}), Refusal::none);
    double largest = 0;
    for (int n = 0; n < 1000; ++n) {
      const double now = holding.after(1).hold.felt.on_hand[1];
      largest = std::max(largest, std::abs(now - last));
      last = now;
    }
    EXPECT_LT(std::abs(last), 0.02 * pressed) << coupling;
    EXPECT_LT(largest, 0.2 * pressed) << coupling;
    const double place = holding.tool().position[1];
    EXPECT_NEAR(place, 0.05, 0.005) << coupling;
    holding.after(500);
    EXPECT_NEAR(holding.tool().position[1], place, 1e-3) << coupling;
    // And takes hold again.
    holding.to({0.01, 0.08, 0});
    holding.after(800);
    EXPECT_NEAR(holding.tool().position[1], 0.08, 1e-4) << coupling;
  }
}

TEST(Hold, ResetBringsHandAndBodyBack) {
  Holding holding("");
  holding.to({0.1, 0.02, 0});
  holding.after(500);
  holding.world().apply(command::Reset{});
  const WorldState& state = holding.after(0);
  EXPECT_LT((holding.tool().position - Vector3d(0, 0.08, 0)).norm(), 1e-9);
  EXPECT_LT((state.hold.hand.position - Vector3d(0, 0.08, 0)).norm(), 1e-9);
}

}  // namespace
}  // namespace pliant
