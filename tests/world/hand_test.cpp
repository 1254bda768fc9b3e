// SPDX-License-Identifier: MIT
// The spring of a hand: it suits bodies of any size, is the one that was asked for, and says so
// where it cannot be.
#include <gmock/gmock.h>

#include "pliant/world/desktop.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

// A block of rubber, 4 : 2 : 2, held at its bottom.
std::string block(double length, const std::string& engine) {
  const std::string size = std::to_string(length);
  return "gravity = [0, 0, 0]\n"
         "[material.rubber]\nyoung = 5e6\npoisson = 0.45\ndensity = 1100\n"
         "[body.block]\n"
         "mesh = { model = \"cantilever\", parameters = { length = 1, height = 0.5, width = 0.5 }, "
         "scale = " +
         size +
         " }\n"
         "meshing = { kind = \"voxels\", resolution = 10 }\n"
         "material = \"rubber\"\n"
         "fixed = [{ kind = \"plane\", point = [0.01, 0, 0], normal = [1, 0, 0] }]\n"
         "engine = " +
         engine + "\n";
}

int end_point(const World& world, double sign) {
  int best = 0;
  for (int p = 0; p < world.point_count(0); ++p) {
    if (sign * world.position(0, p).x() > sign * world.position(0, best).x()) best = p;
  }
  return best;
}

class HandOnASize : public testing::TestWithParam<double> {};

TEST_P(HandOnASize, TakesThePointAlong) {
  const double size = GetParam();
  const test::TemporaryFolder folder;
  Scene scene = parse_scene(block(1, "{ kind = \"reduced\" }"), "block.toml", ".");
  scene.bodies[0].mesh.scale = size;
  if (size > 100) scene.rate = 100;  // slow motions: fewer steps show them
  FixedPlane held;
  held.point.x() = 0.01 * size;
  held.normal = Vector3d::UnitX();
  scene.bodies[0].fixed->front() = held;
  const TensorFile asset(test::bake_into(folder, scene));
  World world(asset, desktop_options());
  const double period = 1 / world.head().bodies[0].frequencies[0];
  const int steps = std::max(1000, static_cast<int>(4 * period / world.dt()));
  for (const Vector3d& way : {Vector3d(0, 0.1, 0), Vector3d(0, 0, -0.1)}) {
    world.apply(command::Reset{});
    const int point = end_point(world, 1);
    const Vector3d rest = world.position(0, point);
    world.apply(command::Pull{.point = point, .target = Vector3d(rest + size * way)});
    double least = 1e9, most = -1e9;  // of the drag, when the body has settled
    for (int i = 0; i < steps; ++i) {
      world.step();
      if (2 * i < steps) continue;
      const Vector3d went = world.position(0, point) - rest;
      const double part = went.dot(way) / (size * way.squaredNorm());
      least = std::min(least, part);
      most = std::max(most, part);
    }
    EXPECT_GT(least, 0.75) << size << " m";
    EXPECT_LT(most, 1.1) << size << " m";
    const WorldState state = world.make_state();
    EXPECT_EQ(state.pulls[0].stiffness, state.pulls[0].wanted) << "nothing is limited in silence";
    EXPECT_EQ(state.status_counts[0], 0) << "no number was lost";
  }
}
INSTANTIATE_TEST_SUITE_P(Metres, HandOnASize, testing::Values(1e-3, 1e-2, 0.1, 1, 10, 1e3));

TEST(Hand, WithoutOtherWordIsTheOneThatThePageIsTold) {
  const test::TemporaryFolder folder;
  const TensorFile asset(
      test::bake_into(folder, parse_scene(block(0.1, "{ kind = \"reduced\" }"), "b.toml", ".")));
  World world(asset, desktop_options());
  const double suits = world.model(0).hand.suits;
  // Of the order of E times the length.
  EXPECT_GT(suits, 0.05 * 5e6 * 0.1);
  EXPECT_LT(suits, 50 * 5e6 * 0.1);
  const int point = end_point(world, 1);
  world.apply(command::Pull{.point = point, .target = world.position(0, point)});
  EXPECT_EQ(world.make_state().pulls[0].stiffness, suits);
  // Another spring for a hand that is there already.
  world.apply(
      command::Pull{.point = point, .target = world.position(0, point), .stiffness = 2 * suits});
  EXPECT_EQ(world.make_state().pulls[0].stiffness, 2 * suits);
}

TEST(Hand, OnAHeldPointHasNoSpring) {
  const test::TemporaryFolder folder;
  for (const char* engine : {"{ kind = \"reduced\" }", "{ kind = \"full\" }"}) {
    const TensorFile asset(
        test::bake_into(folder, parse_scene(block(0.1, engine), "b.toml", "."), "asset.pliant"));
    World world(asset, desktop_options());
    const int point = end_point(world, -1);
    world.apply(command::Pull{.point = point, .target = {1, 1, 1}, .stiffness = 1e3});
    const WorldState state = world.make_state();
    EXPECT_EQ(state.pulls[0].stiffness, 0.0) << engine;
    EXPECT_EQ(state.pulls[0].wanted, 1e3) << engine;
  }
}

TEST(Hand, OnABodyWhoseStepFeelsItLateIsLimitedAndSaysSo) {
  const test::TemporaryFolder folder;
  const TensorFile asset(
      test::bake_into(folder, parse_scene(block(0.1, "{ kind = \"full\" }"), "b.toml", ".")));
  World world(asset, desktop_options());
  const int point = end_point(world, 1);
  world.apply(command::Pull{.point = point, .target = {1, 1, 1}, .stiffness = 1e9});
  const WorldState state = world.make_state();
  EXPECT_GT(state.pulls[0].stiffness, 0);
  EXPECT_LT(state.pulls[0].stiffness, 1e9);
  EXPECT_EQ(state.pulls[0].wanted, 1e9);
  EXPECT_GT(world.model(0).hand.suits, state.pulls[0].stiffness) << "what would suit is known";
}

}  // namespace
}  // namespace pliant
