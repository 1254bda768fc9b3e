// SPDX-License-Identifier: MIT
// Elastic surfaces from a scene to the published state: what is rigid presses on them.
#include <cmath>
#include <list>

#include <gmock/gmock.h>

#include "pliant/bake/bake.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/world/desktop.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace pliant::test {
namespace {

std::string scene_text(const std::string& block, const std::string& more) {
  return "gravity = [0, 0, 0]\n"
         "[material.foam]\nyoung = 2e5\npoisson = 0.3\ndensity = 200\n"
         "[body.block]\nmesh = { model = \"cantilever\", parameters = { length = 0.1, height = "
         "0.08, "
         "width = 0.08, cells = 10 } }\n"
         "material = \"foam\"\n"
         "engine = { kind = \"green_surface\" }\n" +
         block + more;
}
const std::string on_its_bottom =
    "fixed = [{ kind = \"plane\", point = [0, -0.0399, 0], normal = [0, 1, 0] }]\n";
const std::string sphere =
    "[body.sphere]\nshape = [{ kind = \"sphere\", radius = 0.05 }]\n"
    "pose = { position = [0.05, 0.1, 0] }\n"
    "engine = { kind = \"rigid\", motion = \"kinematic\" }\n";

class GreenSurfaceWorld : public testing::Test {
 protected:
  World world(const std::string& text) {
    SceneBake(parse_scene(text, "block.toml", ".")).bake(cache_, folder_ / "block.pliant");
    assets_.emplace_back(folder_ / "block.pliant");
    return World(assets_.back(), desktop_options());
  }

  TemporaryFolder folder_;
  StepCache cache_{folder_ / "cache"};
  std::list<TensorFile> assets_;
};

Refusal move(World& world, int body, const Vector3d& place) {
  return world.apply(command::Move{body, place, {1, 0, 0, 0}});
}

TEST_F(GreenSurfaceWorld, ASphereIsPushedBackAndNothingOverlaps) {
  World w = world(scene_text(on_its_bottom, sphere));
  WorldState state = w.make_state();
  w.step();
  w.state(state);
  EXPECT_TRUE(state.bodies[0].c.isZero(0.0));
  ASSERT_EQ(move(w, 1, {0.05, 0.085, 0}), Refusal::none);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
  w.state(state);
  EXPECT_GT(state.bodies[1].contact_force[1], 1);
  EXPECT_LT((state.bodies[0].contact_force + state.bodies[1].contact_force).norm(),
            1e-5 * state.bodies[1].contact_force.norm());
  EXPECT_GT(state.contact.contacts, 3);
  EXPECT_GT(state.bodies[0].energy.elastic, 0);
  const PointSet& surface = w.data().models[0].surface;
  double deepest = 0;
  for (Index p = 0; p < surface.point_count(); ++p) {
    const Vector3d x = surface.position(w.data().bodies[0].motion, p);
    deepest = std::max(deepest, 0.05 - (x - Vector3d(0.05, 0.085, 0)).norm());
  }
  EXPECT_LT(deepest, 1e-6);
  // Taken away again, the surface is as it was.
  ASSERT_EQ(move(w, 1, {0.05, 0.3, 0}), Refusal::none);
  for (int i = 0; i < 2; ++i) w.step();
  w.state(state);
  EXPECT_TRUE(state.bodies[0].c.isZero(0.0));
}

TEST_F(GreenSurfaceWorld, TheForceIsContinuousWhileASphereSlides) {
  // A contact of some cells across, as [Klimenko03] has it: 10 to 30 nodes.
  World w = world(scene_text(on_its_bottom,
                             "[body.sphere]\nshape = [{ kind = \"sphere\", radius = 0.1 }]\n"
                             "pose = { position = [0.05, 0.15, 0] }\n"
                             "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"));
  WorldState state = w.make_state();
  double sum = 0, jump = 0, before = 0;
  int count = 0;
  for (double x = 0.035; x < 0.065; x += 1e-3) {
    ASSERT_EQ(move(w, 1, {x, 0.134, 0.001}), Refusal::none);
    w.step();
    w.step();  // it is there, and is felt
    w.state(state);
    const double force = state.bodies[1].contact_force[1];
    if (count++ > 0) jump = std::max(jump, std::abs(force - before));
    before = force;
    sum += force;
  }
  EXPECT_LT(jump, 0.012 * sum / count);  // 1.1 %: as smooth as these cells are small
}

TEST_F(GreenSurfaceWorld, AHandFeelsWhatItPressesOn) {
  World w = world(scene_text(on_its_bottom, sphere + "[handle]\nbody = \"sphere\"\n"
                                                     "stiffness = 2000\nmost_force = 100\n"
                                                     "device_force = 200\n"
                                                     "[device]\nkind = \"viewer\"\n"));
  WorldState state = w.make_state();
  ASSERT_EQ(w.apply(command::Handle{{0.05, 0.075, 0}, {1, 0, 0, 0}}), Refusal::none);
  double last = 0, swing = 0;
  for (int i = 0; i < 1500; ++i) {
    w.step();
    w.state(state);
    if (i > 1400) swing = std::max(swing, std::abs(state.hold.felt.on_hand[1] - last));
    last = state.hold.felt.on_hand[1];
  }
  EXPECT_GT(last, 1);
  EXPECT_NEAR(last, state.bodies[1].contact_force[1], 0.02 * last);
  EXPECT_LT(swing, 1e-3 * last);  // it is at rest
  EXPECT_GT(state.bodies[1].pose.position[1], 0.076);
}

// 0.5 kg on a pad: the pad bears it.
TEST_F(GreenSurfaceWorld, BearsABodyThatLiesOnIt) {
  World w = world("gravity = [0, -9.81, 0]\n" +
                  scene_text(on_its_bottom,
                             "[body.sphere]\nmesh = { model = \"sphere\" }\n"
                             "pose = { position = [0.05, 0.0905, 0] }\n"
                             "engine = { kind = \"rigid\", motion = \"free\", "
                             "density = 1000, damping = 5 }\n")
                      .substr(std::string("gravity = [0, 0, 0]\n").size()));
  WorldState state = w.make_state();
  for (int i = 0; i < 2000; ++i) w.step();
  w.state(state);
  const double weight = 1000 * 4.18879 * std::pow(0.05, 3) * 9.81;
  EXPECT_NEAR(state.bodies[1].contact_force[1], weight, 0.05 * weight);
}

TEST_F(GreenSurfaceWorld, PullsAndItsWeightMoveIt) {
  World w =
      world("gravity = [0, -9.81, 0]\n" +
            scene_text(on_its_bottom, "").substr(std::string("gravity = [0, 0, 0]\n").size()));
  WorldState state = w.make_state();
  w.step();
  w.state(state);
  const auto top = [&] {
    double least = 0, most = 0;
    for (Index i = 1; i < state.bodies[0].c.size(); i += 3) {
      least = std::min<double>(least, state.bodies[0].c[i]);
      most = std::max<double>(most, state.bodies[0].c[i]);
    }
    return std::pair(least, most);
  };
  // Of a bar that stands: rho g h^2 / 2 E, less by what is held sideways.
  const double bar = 200 * 9.81 * 0.08 * 0.08 / (2 * 2e5);
  EXPECT_NEAR(-top().first, bar, 0.3 * bar);
  int point = 0;
  const PointSet& surface = w.data().models[0].surface;
  for (Index p = 0; p < surface.point_count(); ++p) {
    const Vector3f X = surface.rest_position(p);
    if (X[1] > 0.0399F && std::abs(X[0] - 0.05F) < 1e-4F && std::abs(X[2]) < 1e-4F) {
      point = static_cast<int>(p);
    }
  }
  ASSERT_EQ(w.apply(command::Force{0, 0, point, {0, 5, 0}}), Refusal::none);
  w.step();
  w.state(state);
  EXPECT_GT(top().second, 1e-4);
  ASSERT_EQ(w.apply(command::Pull{0, 0, point, {0.05, 0.045, 0}, 0}), Refusal::none);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
  w.state(state);
  EXPECT_GT(top().second, 5e-4);  // a spring that is felt a step late comes to rest
  const double at = top().second;
  w.step();
  w.state(state);
  EXPECT_NEAR(top().second, at, 1e-6);
}

TEST_F(GreenSurfaceWorld, AStepAllocatesNothing) {
  World w = world(scene_text(on_its_bottom, sphere));
  move(w, 1, {0.05, 0.087, 0});
  for (int i = 0; i < 5; ++i) w.step();
  const AllocationCounter counter;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(move(w, 1, {0.05 + 1e-3 * i, 0.087, 0}), Refusal::none);
    w.step();
  }
  if (AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
}

TEST_F(GreenSurfaceWorld, SaysWhatItCannotBe) {
  expect_error([&] { world(scene_text("fixed = []\n", sphere)); }, "held");
  expect_error(
      [&] { world(scene_text(on_its_bottom + "meshing = { kind = \"voxels\" }\n", sphere)); },
      "no meshing");
  expect_error([&] { world(scene_text(on_its_bottom + "rate = 500\n", sphere)); }, "no rate");
  expect_error(
      [&] { world(scene_text(on_its_bottom + "contact = { role = \"field\" }\n", sphere)); },
      "shell");
}

}  // namespace
}  // namespace pliant::test
