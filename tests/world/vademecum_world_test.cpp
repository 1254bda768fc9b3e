// SPDX-License-Identifier: MIT
// Bodies of the vademecum engine from a scene to the published state.
#include <list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/bake/bake.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/world/desktop.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace pliant::test {
namespace {

std::string scene_text(const std::string& more = "") {
  return "gravity = [0, 0, 0]\n"
         "[material.rubber]\nyoung = 1e6\npoisson = 0.4\ndensity = 1000\n"
         "[body.beam]\n"
         "mesh = { model = \"cantilever\", parameters = { length = 0.4, height = 0.1, width = 0.1 "
         "} }\n"
         "meshing = { kind = \"voxels\", resolution = 8 }\n"
         "material = \"rubber\"\n"
         "fixed = [{ kind = \"plane\", point = [0.001, 0, 0], normal = [1, 0, 0] }]\n"
         "engine = { kind = \"vademecum\", load = 50, direction = [0, -1, 0], shapes = 12, levels "
         "= "
         "4, terms = 60 }\n" +
         more;
}

class VademecumWorld : public testing::Test {
 protected:
  World world(const std::string& text) {
    SceneBake(parse_scene(text, "beam.toml", ".")).bake(cache_, folder_ / "beam.pliant");
    assets_.emplace_back(folder_ / "beam.pliant");
    return World(assets_.back(), desktop_options());
  }
  static int tip(const World& w) {
    int best = 0;
    for (int p = 0; p < w.point_count(0); ++p) {
      if (w.position(0, p).x() > w.position(0, best).x()) best = p;
    }
    return best;
  }

  TemporaryFolder folder_;
  StepCache cache_{folder_ / "cache"};
  std::list<TensorFile> assets_;
};

TEST_F(VademecumWorld, AForceBendsABodyAndItGoesBack) {
  World w = world(scene_text());
  const int point = tip(w);
  const Vector3d rest = w.position(0, point);
  w.apply(command::Force{0, 0, point, Vector3d(0, -30, 0)});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
  const Vector3d moved = w.position(0, point) - rest;
  EXPECT_LT(moved.y(), -0.02);
  EXPECT_LT(moved.x(), 0) << "the tip of a bent beam comes nearer to its root";
  w.apply(command::Release{0});
  for (int i = 0; i < 5; ++i) w.step();
  EXPECT_LT((w.position(0, point) - rest).norm(), 1e-5);
}

TEST_F(VademecumWorld, AHandPulls) {
  World w = world(scene_text());
  const int point = tip(w);
  const Vector3d rest = w.position(0, point), target = rest + Vector3d(0, -0.05, 0);
  ASSERT_EQ(w.apply(command::Pull{0, 0, point, target, 0}), Refusal::none);
  for (int i = 0; i < 300; ++i) EXPECT_FALSE(has(w.step(), StepStatus::not_finite));
  EXPECT_LT(w.position(0, point).y(), rest.y() - 0.02);
  const Vector3d before = w.position(0, point);
  w.step();
  EXPECT_LT((w.position(0, point) - before).norm(), 1e-5) << "it is at rest";
}

TEST_F(VademecumWorld, AStoneIsHeldByTheBeam) {
  World w =
      world(scene_text("[body.stone]\npose.position = [0.35, 0.08, 0]\n"
                       "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
                       "[[body.stone.shape]]\nkind = \"sphere\"\nradius = 0.03\n"));
  const int point = tip(w);
  const Vector3d rest = w.position(0, point);
  for (int i = 0; i < 400; ++i) {
    const double y = 0.08 - 0.04 * std::min(1.0, i / 200.0);
    w.apply(command::Move{1, Vector3d(0.35, y, 0), {1, 0, 0, 0}});
    EXPECT_FALSE(has(w.step(), StepStatus::not_finite));
  }
  EXPECT_LT(w.position(0, point).y(), rest.y() - 0.01) << "it is bent";
  WorldState state = w.make_state();
  w.state(state);
  EXPECT_GT(state.bodies[0].energy.elastic, 0);
}

TEST_F(VademecumWorld, AStepAllocatesNothing) {
  World w = world(scene_text());
  WorldState state = w.make_state();
  w.apply(command::Pull{0, 0, tip(w), Vector3d(0.4, -0.1, 0), 0});
  w.step();
  const AllocationCounter counter;
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(has(w.step(), StepStatus::not_finite));
    w.state(state);
  }
  if (AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
}

TEST_F(VademecumWorld, OnlyTheAccessibleBoundaryIsLoaded) {
  World w =
      world(scene_text("accessible = [{ kind = \"plane\", point = [0.3, 0, 0], normal = [-1, "
                       "0, 0] }]\n"));
  const auto places = assets_.back().matrix<float>("beam/vademecum/places", 3);
  EXPECT_GT(places.cols(), 4);
  EXPECT_GE(places.row(0).minCoeff(), 0.299F);
}

TEST_F(VademecumWorld, LoadsHaveTheDirectionsThatAreNamed) {
  const auto with = [&](const std::string& key) {
    std::string text = scene_text();
    const std::string one = "direction = [0, -1, 0]";
    return text.replace(text.find(one), one.size(), key);
  };
  world(with("directions = [[0, -2, 0], [0, -1, 1]]"));
  const MatrixXd directions = assets_.back().matrix<double>("beam/vademecum/directions", 3);
  ASSERT_EQ(directions.cols(), 2);
  EXPECT_LT((directions.col(0) - Vector3d(0, -1, 0)).norm(), 1e-12);
  EXPECT_LT((directions.col(1) - Vector3d(0, -1, 1).normalized()).norm(), 1e-12);
  const auto error = [&](const std::string& key) { return error_of([&] { world(with(key)); }); };
  EXPECT_THAT(error("directions = []"), testing::HasSubstr("1 to 64"));
  EXPECT_THAT(error("directions = [[1, 0, 0], [0, 0, 0]]"),
              testing::HasSubstr("without direction"));
  EXPECT_THAT(error("direction = [0, -1, 0], directions = [[1, 0, 0]]"),
              testing::HasSubstr("a direction already"));
}

TEST_F(VademecumWorld, SaysWhatIsWrongWithAScene) {
  const auto bake = [&](const std::string& more) {
    return error_of([&] { world(scene_text(more)); });
  };
  EXPECT_THAT(bake("accessible = []\n"), testing::HasSubstr("no accessible boundary"));
  EXPECT_THAT(bake("accessible = [{ kind = \"box\", from = [5, 5, 5], to = [6, 6, 6] }]\n"),
              testing::AllOf(testing::HasSubstr("accessible[0]"),
                             testing::HasSubstr("no node lies there")));
  EXPECT_THAT(bake("accessible = [{ kind = \"plane\", point = [0.001, 0, 0], normal = [1, 0, 0] "
                   "}]\n"),
              testing::AllOf(testing::HasSubstr("body.beam"), testing::HasSubstr("all held")));
  EXPECT_THAT(error_of([&] {
                parse_scene(
                    "[body.cube]\nmesh.model = \"cube\"\nengine.kind = \"reduced\"\n"
                    "accessible = [{ kind = \"nodes\", nodes = [1, 2, 3] }]\n",
                    "s.toml", ".");
              }),
              testing::HasSubstr("vademecum"));
  EXPECT_THAT(error_of([&] {
                parse_scene(
                    "[body.cube]\nmesh.model = \"cube\"\nengine = { kind = \"vademecum\", "
                    "load = 1, direction = [0, 0, 0] }\n",
                    "s.toml", ".");
              }),
              testing::HasSubstr("without direction"));
}

}  // namespace
}  // namespace pliant::test
