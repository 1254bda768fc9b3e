// SPDX-License-Identifier: MIT
// Bodies of the Green's-function engine from a scene to the published state.
#include <list>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/bake/bake.hpp"
#include "pliant/bake/solid.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/script.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace pliant::test {
namespace {

std::string scene_text(const std::string& more = "") {
  return "gravity = [0, -9.81, 0]\n"
         "[body.hose]\n"
         "mesh.tube = { length = 0.4, outer_diameter = 0.1, inner_diameter = 0.06, young = 1e6, "
         "poisson = 0.4, axial = 12, azimuthal = 8, radial = 1 }\n"
         "engine = { kind = \"green\", touch = 6 }\n" +
         more;
}

class GreenWorld : public testing::Test {
 protected:
  World world(const std::string& text) {
    SceneBake(parse_scene(text, "hose.toml", ".")).bake(cache_, folder_ / "hose.pliant");
    assets_.emplace_back(folder_ / "hose.pliant");
    return World(assets_.back(), desktop_options());
  }

  TemporaryFolder folder_;
  StepCache cache_{folder_ / "cache"};
  std::list<TensorFile> assets_;
};

// Both ends are driven, as the mesh says; the weight is carried by them.
TEST_F(GreenWorld, ABodySagsAndItsControlElementsCarryIt) {
  World w = world(scene_text());
  WorldState state = w.make_state();
  ASSERT_EQ(state.bodies[0].controls.size(), 2U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
  w.state(state);
  const double mass = 1000 * 0.4 * 3.14159 / 4 * (0.1 * 0.1 - 0.06 * 0.06);
  const Vector3d force = state.bodies[0].controls[0].force + state.bodies[0].controls[1].force;
  EXPECT_NEAR(force[1], mass * 9.81, 0.12 * mass * 9.81);  // of an octagon
  EXPECT_NEAR(force[0], 0, 1e-6);
  EXPECT_GT(state.bodies[0].energy.elastic, 0);
}

// A ring of 16 nodes in the middle, each with three responses of its own.
TEST_F(GreenWorld, NodesThatAreNamedHaveResponsesOfTheirOwn) {
  const auto responses = [&](const std::string& more) {
    world(scene_text(more));
    return static_cast<Index>(assets_.back().at("hose/green/stiffness").shape[0]);
  };
  const Index spread = responses("");
  EXPECT_EQ(responses("accessible = [{ kind = \"box\", from = [0.19, -1, -1], to = [0.21, 1, 1] "
                      "}]\n"),
            spread + 48);
  expect_error(
      [&] {
        world(
            scene_text("accessible = [{ kind = \"box\", from = [-1, -1, -1], to = [1, 1, 1] }]\n"));
      },
      "at most 200");
}

TEST_F(GreenWorld, ABodyThatCannotChangeItsVolumeIsRefused) {
  std::string text = scene_text();
  const std::string usual = "poisson = 0.4,";
  text.replace(text.find(usual), usual.size(), "poisson = 0.5,");
  expect_error([&] { world(text); }, "<= 0.495");
  expect_error(
      [&] {
        world(
            "[material.rubber]\nyoung = 1e6\npoisson = 0.5\ndensity = 1000\n"
            "[body.cube]\nmesh = { model = \"cube\" }\nmaterial = \"rubber\"\n"
            "engine = { kind = \"green\" }\n");
      },
      "<= 0.495");
}

// Before anything is made of it.
TEST(GreenMemory, AMillionNodesAreRefusedAtOnce) {
  VolumeMesh mesh = block(ElementType::hex8, {99, 99, 99}, {1, 1, 1});
  ASSERT_EQ(mesh.vertex_count(), 1'000'000);
  mesh.regions = {{.name = "all"}};
  mesh.region = VectorXi::Zero(mesh.element_count());
  TensorWriter writer;
  write_volume(writer, "volume/", mesh, {0, 1, 2});
  writer.set("regions", "[\"all\"]");
  const std::vector<BodyRegion> regions(1, {.name = "all", .material_name = "", .material = {}});
  const std::string bytes = writer.bytes();
  const TensorFile file(bytes, "mesh");
  // Four copies of 3 10^6 freedoms in 100,000 shapes are 9.6 TB.
  expect_error([&] { SharedSolid(regions, 100'000).of(file); },
               "a body of 1000000 nodes and 100000 shapes would take 9");
}

TEST_F(GreenWorld, AControlElementIsMovedByACommand) {
  World w = world(scene_text());
  AffineMotion m{};
  m[0] = 0.01;
  ASSERT_EQ(w.apply(command::Control{0, 1, m}), Refusal::none);
  w.step();
  WorldState state = w.make_state();
  EXPECT_NEAR(state.bodies[0].controls[1].motion[0], 0.01, 1e-12);
  EXPECT_GT(state.bodies[0].controls[1].force[0], 1.0);  // it is pulled
  EXPECT_EQ(w.apply(command::Control{0, 7, m}), Refusal::out_of_range);
  m[3] = -2;  // inside out
  EXPECT_EQ(w.apply(command::Control{0, 1, m}), Refusal::out_of_range);
}

TEST_F(GreenWorld, AScriptMovesControlElements) {
  World w = world(scene_text());
  const auto script = parse_script(
      "time,kind,body,point,x,y,z,value\n0,control,hose,1,0.01,0,0,1.1\n", "script.csv", w);
  ASSERT_EQ(script.size(), 1U);
  ASSERT_EQ(w.apply(script[0].command), Refusal::none);
  w.step();
  const WorldState state = w.make_state();
  EXPECT_NEAR(state.bodies[0].controls[1].motion[0], 0.01, 1e-12);
  EXPECT_NEAR(state.bodies[0].controls[1].motion[7], 0.1, 1e-12);
  expect_error(
      [&] { parse_script("time,kind,body,point,x,y,z\n0,control,hose,2,0,0,0\n", "s.csv", w); },
      "point");
}

// With warping each node moves for itself: it sags alike, a hand pulls at it, and an end that is turned
// far keeps its size.
TEST_F(GreenWorld, AWarpedBodySagsIsPulledAndTurnsFar) {
  std::string text = scene_text();
  const std::string plain = "touch = 6";
  text.replace(text.find(plain), plain.size(), plain + ", linearity = { beyond = \"warped\" }");
  World linear = world(scene_text()), w = world(text);
  EXPECT_TRUE(w.model(0).ops->facts.dense);
  WorldState state = w.make_state();
  for (int i = 0; i < 3; ++i) {
    linear.step();
    EXPECT_EQ(w.step(), StepStatus::ok);
  }
  const int point = w.point_count(0) / 2;
  EXPECT_LT((w.position(0, point) - linear.position(0, point)).norm(), 1e-5);
  const Vector3d rest = w.position(0, point);
  ASSERT_EQ(w.apply(command::Pull{0, 0, point, Vector3d(rest + Vector3d(0, 0, 0.01)), 0}),
            Refusal::none);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
  EXPECT_GT(w.position(0, point)[2] - rest[2], 1e-4);
  w.apply(command::Release{0});

  // The right end, turned by a right angle about its own axis through its centre.
  AffineMotion m{};
  m[3] = -1;
  m[4] = -1;
  m[6] = 1;
  m[7] = -1;
  ASSERT_EQ(w.apply(command::Control{0, 1, m}), Refusal::none);
  for (int i = 0; i < 2; ++i) w.step();
  w.state(state);
  EXPECT_NEAR(state.bodies[0].controls[1].motion[6], 1, 1e-6);
  ASSERT_EQ(linear.apply(command::Control{0, 1, m}), Refusal::none);
  for (int i = 0; i < 2; ++i) linear.step();
  // Points of the element are where its motion puts them, whatever the method.
  int last = 0;
  for (int p = 0; p < w.point_count(0); ++p) {
    if (w.data().models[0].surface.rest_position(p)[0] >
        w.data().models[0].surface.rest_position(last)[0]) {
      last = p;
    }
  }
  EXPECT_LT((w.position(0, last) - linear.position(0, last)).norm(), 1e-4);

  const AllocationCounter counter;
  for (int i = 0; i < 5; ++i) {
    w.step();
    w.state(state);
  }
  if (AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
}

// A hand takes the point along, softly, and lets it go again.
TEST_F(GreenWorld, AHandPulls) {
  World w = world(scene_text());
  for (int i = 0; i < 3; ++i) w.step();
  const int point = w.point_count(0) / 2;
  const Vector3d rest = w.position(0, point);
  const Vector3d target = rest + Vector3d(0, 0, 0.01);
  ASSERT_EQ(w.apply(command::Pull{0, 0, point, target, 0}), Refusal::none);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
  const double moved = w.position(0, point)[2] - rest[2];
  EXPECT_GT(moved, 1e-4);
  EXPECT_LT(moved, 0.0101);
  w.apply(command::Release{0});
  for (int i = 0; i < 3; ++i) w.step();
  EXPECT_LT((w.position(0, point) - rest).norm(), 1e-6);
}

TEST_F(GreenWorld, AStepAllocatesNothing) {
  if (!AllocationCounter::can_count()) GTEST_SKIP() << "a sanitizer owns malloc";
  World w = world(scene_text());
  WorldState state = w.make_state();
  w.apply(command::Pull{0, 0, 5, Vector3d(0, 0, 0.1), 0});
  w.step();
  const AllocationCounter counter;
  for (int i = 0; i < 10; ++i) {
    w.step();
    w.state(state);
  }
  EXPECT_EQ(counter.count(), 0);
}

TEST_F(GreenWorld, SaysWhatIsWrongWithAScene) {
  const std::string end = "[[body.hose.control]]\nname = \"end\"\n";
  const auto bake = [&](const std::string& more) {
    return error_of([&] { world(scene_text(more)); });
  };
  EXPECT_THAT(bake(end + "kind = \"box\"\nfrom = [5, 5, 5]\nto = [6, 6, 6]\n"),
              testing::HasSubstr("no node lies there"));
  EXPECT_THAT(bake(end + "kind = \"group\"\ngroup = \"control_0\"\n" +
                   "[[body.hose.control]]\nname = \"other\"\nkind = \"sphere\"\ncentre = [0, 0, "
                   "0]\nradius = 0.2\n"),
              testing::HasSubstr("shares a node with 'end'"));
  EXPECT_THAT(bake(end + "kind = \"nodes\"\nnodes = [0, 1]\n"), testing::HasSubstr("on a line"));
  const std::string twice = end + "kind = \"group\"\ngroup = \"control_0\"\n";
  EXPECT_THAT(bake(twice + twice), testing::HasSubstr("the name is taken"));
  EXPECT_THAT(bake(end + "state = \"free\"\nkind = \"group\"\ngroup = \"control_0\"\n"),
              testing::HasSubstr("nothing holds the body"));
  EXPECT_THAT(error_of([&] {
                parse_scene(
                    "[body.cube]\nmesh.model = \"cube\"\nengine.kind = \"rigid\"\n"
                    "control = [{ name = \"a\", kind = \"nodes\", nodes = [1, 2, 3] }]\n",
                    "s.toml", ".");
              }),
              testing::HasSubstr("no control elements"));
  EXPECT_THAT(error_of([&] {
                parse_scene("[body.hose]\nmesh.tube = { poisson = 0.5 }\nengine.kind = \"green\"\n",
                            "s.toml", ".");
              }),
              testing::HasSubstr("poisson"));
}

}  // namespace
}  // namespace pliant::test
