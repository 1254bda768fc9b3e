// SPDX-License-Identifier: MIT
// Elastic surfaces from a scene to the published state: what is rigid presses on them.
#include <cmath>
#include <list>

#include <gmock/gmock.h>

#include "pliant/bake/bake.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/recording.hpp"
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

// [Klimenko03] table 3 (e), at 1 mm a cycle.
TEST_F(GreenSurfaceWorld, TheForceIsContinuousWhileASphereSlides) {
  for (const double radius : {0.1, 0.05}) {
    World w = world(
        "gravity = [0, 0, 0]\n"
        "[material.foam]\nyoung = 2e5\npoisson = 0.3\ndensity = 200\n"
        "[body.block]\nmesh = { model = \"pad\" }\nmaterial = \"foam\"\n"
        "engine = { kind = \"green_surface\" }\n"
        "[body.sphere]\nshape = [{ kind = \"sphere\", radius = " +
        std::to_string(radius) +
        " }]\npose = { position = [0, 0.15, 0] }\n"
        "engine = { kind = \"rigid\", motion = \"kinematic\" }\n");
    WorldState state = w.make_state();
    EXPECT_EQ(state.bodies[0].c.size(), 3 * 800);
    double sum = 0, jump = 0, before = 0;
    int count = 0;
    for (double x = -0.03; x < 0.03; x += 1e-3) {
      ASSERT_EQ(move(w, 1, {x, radius - 0.006, 0.001}), Refusal::none);
      w.step();
      w.step();  // it is there, and is felt
      w.state(state);
      const double force = state.bodies[1].contact_force[1];
      if (count++ > 0) jump = std::max(jump, std::abs(force - before));
      before = force;
      sum += force;
    }
    EXPECT_LT(jump, 0.01 * sum / count) << radius;
  }
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

// A soft ball on a soft pad: the pad bears its weight and gives way. The ball weighs what its 504 voxels do,
// 12 mm wide: they are larger than it. Bodies are in the order of their names.
TEST_F(GreenSurfaceWorld, BearsASoftBody) {
  World w =
      world("gravity = [0, -9.81, 0]\n" +
            scene_text(on_its_bottom,
                       "[material.jelly]\nyoung = 5e4\npoisson = 0.4\ndensity = 1000\n"
                       "[body.ball]\nmesh = { model = \"sphere\" }\nmaterial = \"jelly\"\n"
                       "fixed = []\nmeshing = { kind = \"voxels\", resolution = 10 }\n"
                       "pose = { position = [0.05, 0.091, 0] }\n"
                       "engine = { kind = \"reduced\", damping = { alpha = 5, beta = 0.01 } }\n")
                .substr(std::string("gravity = [0, 0, 0]\n").size()));
  ASSERT_EQ(w.body(0).name, "ball");
  WorldState state = w.make_state();
  const BodyState &ball = state.bodies[0], &pad = state.bodies[1];
  double weight = 0;
  for (int i = 0; i < 3000; ++i) {
    w.step();
    if (i < 2000) continue;
    w.state(state);
    weight += ball.contact_force[1] / 1000;
  }
  const double expected = 1000 * 504 * std::pow(0.012, 3) * 9.81;
  EXPECT_NEAR(weight, expected, 0.02 * expected);
  EXPECT_GT(ball.pose.position[1], 0.06);
  EXPECT_LT((ball.contact_force + pad.contact_force).norm(), 1e-3 * expected);
  EXPECT_LT(pad.c.minCoeff(), -1e-5F);
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

// With a key of the engine in place of none.
std::string with_key(const std::string& key, const std::string& block = on_its_bottom) {
  std::string text = scene_text(block, sphere);
  const std::string plain = "kind = \"green_surface\"";
  return text.replace(text.find(plain), plain.size(), plain + ", " + key);
}
const std::string image = "image = { centre = [0.05, 0.04, 0], width = 0.1, height = 0.08 }";

TEST_F(GreenSurfaceWorld, AStepAllocatesNothing) {
  for (const std::string& key : {std::string("contacts = 100"), std::string("grip = \"stick\""),
                                 std::string("contact = \"kernel\""),
                                 std::string("linearity = { beyond = \"blocked\" }"), image}) {
    World w = world(with_key(key));
    WorldState state = w.make_state();
    move(w, 1, {0.05, 0.087, 0});
    for (int i = 0; i < 5; ++i) w.step();
    const AllocationCounter counter;
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(move(w, 1, {0.05 + 1e-3 * i, 0.087, 0}), Refusal::none);
      w.step();
      w.state(state);
    }
    if (AllocationCounter::can_count()) {
      EXPECT_EQ(counter.count(), 0) << key;
    }
  }
}

// A block of rubber by each method, under one sphere. Forces on nodes are spread over hat functions by
// collocation and not by the others, which counts with the square of a cell over the radius a of the
// contact, a^2 = R depth: 15 % and 10 % for a = 1.6 cells, 5 % and 3 % for 2.7. Here a is 3.2 cells. Voxels
// would stand out by a part of a cell, 8 mm if the cube about the body were larger by a fifth, and the
// sphere be as much deeper in them: it is as large as the body.
TEST_F(GreenSurfaceWorld, AllMethodsFeelTheSame) {
  const auto force = [&](const std::string& key, const std::string& block) {
    std::string text = with_key(key, block);
    const auto put = [&](const std::string& old, const std::string& now) {
      text.replace(text.find(old), old.size(), now);
    };
    put("radius = 0.05", "radius = 0.2");
    put("position = [0.05, 0.1, 0]", "position = [0.05, 0.3, 0]");
    World w = world(text);
    WorldState state = w.make_state();
    move(w, 1, {0.05, 0.235, 0});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
    w.state(state);
    return state.bodies[1].contact_force[1];
  };
  const double by_nodes = force("method = \"collocation\"", on_its_bottom);
  EXPECT_NEAR(force("method = \"galerkin\"", on_its_bottom), by_nodes, 0.05 * by_nodes);
  const std::string part =
      "method = \"compressed\", touched = { from = [0.005, 0.03, -0.035], to = [0.095, 0.05, "
      "0.035] "
      "}";
  EXPECT_NEAR(force(part, on_its_bottom), by_nodes, 0.01 * by_nodes);
  EXPECT_NEAR(force("method = \"elements\"",
                    on_its_bottom +
                        "meshing = { kind = \"voxels\", resolution = 10, enlargement = 1.001 }\n"),
              by_nodes, 0.1 * by_nodes);
}

TEST_F(GreenSurfaceWorld, TheHardKernelPullsAtItsBorder) {
  World w = world(with_key("contact = \"kernel\", layer = 0.001"));
  WorldState state = w.make_state();
  move(w, 1, {0.05, 0.084, 0});
  for (int i = 0; i < 3; ++i) w.step();
  w.state(state);
  double least = 0;
  for (const ContactState& contact : state.contacts) {
    least = std::min(least, contact.force.dot(contact.normal));
  }
  EXPECT_LT(least, 0);
  EXPECT_GT(state.bodies[1].contact_force[1], 0);
  EXPECT_LT((state.bodies[0].contact_force + state.bodies[1].contact_force).norm(),
            1e-5 * state.bodies[1].contact_force.norm());
}

// The sphere goes half way through the block: linear theory has ended, and somebody says so.
TEST_F(GreenSurfaceWorld, SaysWhereSmallDeformationsEnd) {
  World w = world(scene_text(on_its_bottom, sphere));
  move(w, 1, {0.05, 0.088, 0});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
  move(w, 1, {0.05, 0.05, 0});
  StepStatus status = StepStatus::ok;
  for (int i = 0; i < 3; ++i) status = w.step();
  EXPECT_TRUE(has(status, StepStatus::beyond_strain));
  EXPECT_FALSE(has(status, StepStatus::limited));
  move(w, 1, {0.05, 0.3, 0});
  for (int i = 0; i < 3; ++i) status = w.step();
  EXPECT_EQ(status, StepStatus::ok);
}

TEST_F(GreenSurfaceWorld, ABlockedSurfaceStaysWhereSmallDeformationsEnd) {
  World w = world(with_key("linearity = { beyond = \"blocked\" }"));
  WorldState state = w.make_state();
  move(w, 1, {0.05, 0.088, 0});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
  w.state(state);
  const VectorXf before = state.bodies[0].c;
  const double force = state.bodies[1].contact_force[1];
  EXPECT_GT(before.norm(), 0);
  move(w, 1, {0.05, 0.05, 0});
  StepStatus status = StepStatus::ok;
  for (int i = 0; i < 3; ++i) status = w.step();
  EXPECT_TRUE(has(status, StepStatus::beyond_strain));
  EXPECT_TRUE(has(status, StepStatus::limited));
  w.state(state);
  EXPECT_LT((state.bodies[0].c - before).norm(), 1e-6 * before.norm());
  EXPECT_NEAR(state.bodies[1].contact_force[1], force, 1e-6 * force);
  move(w, 1, {0.05, 0.3, 0});
  for (int i = 0; i < 3; ++i) status = w.step();
  w.state(state);
  EXPECT_EQ(status, StepStatus::ok);
  EXPECT_TRUE(state.bodies[0].c.isZero(0.0));
}

// Of a compressed surface what cannot be touched follows, and gravity bends all of it.
TEST_F(GreenSurfaceWorld, WhatIsFarFollows) {
  const auto seen = [&](const std::string& key) {
    std::string text = with_key(key);
    text.replace(0, std::string("gravity = [0, 0, 0]").size(), "gravity = [0, -9.81, 0]");
    World w = world(text);
    WorldState state = w.make_state();
    move(w, 1, {0.05, 0.085, 0});
    for (int i = 0; i < 40; ++i) EXPECT_EQ(w.step(), StepStatus::ok);
    w.state(state);
    return state.bodies[0].c;
  };
  const VectorXf all = seen("method = \"collocation\"");
  const VectorXf part = seen(
      "method = \"compressed\", touched = { from = [0.015, 0.03, -0.03], to = [0.085, 0.05, 0.03] "
      "}");
  EXPECT_GT(all.norm(), 0);
  EXPECT_LT((part - all).norm(), 0.03F * all.norm());
}

// Down, then sideways: only what sticks is dragged along.
TEST_F(GreenSurfaceWorld, WhatSticksIsDraggedAlong) {
  const auto sideways = [&](const std::string& grip) {
    World w = world(with_key("grip = \"" + grip + "\""));
    WorldState state = w.make_state();
    for (double y = 0.09; y > 0.085; y -= 2e-4) {
      move(w, 1, {0.05, y, 0});
      w.step();
    }
    for (int i = 0; i <= 10; ++i) {
      move(w, 1, {0.05 + 1e-4 * i, 0.085, 0});
      EXPECT_EQ(w.step(), StepStatus::ok);
    }
    w.step();
    w.state(state);
    return state.bodies[1].contact_force[0] / state.bodies[1].contact_force[1];
  };
  EXPECT_LT(std::abs(sideways("slip")), 0.02);
  EXPECT_LT(sideways("stick"), -0.1);
}

TEST_F(GreenSurfaceWorld, TheTaxelsShareAllOfTheForce) {
  World w = world(with_key(image));
  WorldState state = w.make_state();
  ASSERT_EQ(state.bodies[0].image.taxels.size(), 256);
  move(w, 1, {0.04, 0.085, 0.01});
  for (int i = 0; i < 3; ++i) w.step();
  w.state(state);
  const PressureImage& seen = state.bodies[0].image;
  const double force = state.bodies[1].contact_force[1];
  EXPECT_GT(force, 1);
  EXPECT_NEAR(seen.taxels.sum(), force, 1e-4 * force);
  EXPECT_NEAR(seen.outside, 0, 1e-4 * force);
  EXPECT_GE(seen.taxels.minCoeff(), 0);
  // Where the sphere is: x to the right, -z upward.
  Vector3d middle = Vector3d::Zero();
  for (Index t = 0; t < seen.taxels.size(); ++t) {
    const double column = static_cast<double>(t % 16) + 0.5,
                 row = static_cast<double>(t / 16) + 0.5;
    middle += seen.taxels[t] * Vector3d(0.1 * column / 16, 0, 0.04 - 0.08 * row / 16);
  }
  middle /= seen.taxels.sum();
  EXPECT_NEAR(middle[0], 0.04, 0.002);
  EXPECT_NEAR(middle[2], 0.01, 0.002);
  // It is recorded.
  Recording recording(folder_ / "press.pliant", {"block", "sphere"});
  recording.add(state);
  recording.write();
  const TensorFile file(folder_ / "press.pliant");
  const Eigen::MatrixXf kept = file.matrix<float>("block/pressure", 257);
  EXPECT_EQ(kept.col(0).head(256), seen.taxels);
  EXPECT_EQ(kept(256, 0), seen.outside);
  move(w, 1, {0.05, 0.3, 0});
  for (int i = 0; i < 2; ++i) w.step();
  w.state(state);
  EXPECT_EQ(state.bodies[0].image.taxels.norm(), 0);
}

TEST_F(GreenSurfaceWorld, SaysWhatItCannotBe) {
  expect_error([&] { world(scene_text("fixed = []\n", sphere)); }, "held");
  expect_error(
      [&] { world(scene_text(on_its_bottom + "meshing = { kind = \"voxels\" }\n", sphere)); },
      "no meshing");
  expect_error([&] { world(scene_text(on_its_bottom + "rate = 500\n", sphere)); }, "no rate");
  expect_error([&] { world(with_key("method = \"compressed\"")); }, "can be touched");
  expect_error([&] { world(with_key("touched = { from = [0, 0, 0], to = [1, 1, 1] }")); },
               "all of the surface");
  expect_error(
      [&] {
        world(with_key("method = \"compressed\", touched = { from = [7, 7, 7], to = [8, 8, 8] }"));
      },
      "no node that can move");
  expect_error([&] { world(with_key("layer = 0.01")); }, "only the hard kernel");
  expect_error([&] { world(with_key("grip = \"stick\", contact = \"kernel\"")); }, "no friction");
  expect_error([&] { world(with_key("image = { up = [0, 1, 0] }")); }, "along the normal");
  expect_error([&] { world(with_key("image = { rows = 400 }")); }, "too many taxels");
  expect_error(
      [&] {
        world(with_key("method = \"elements\"", on_its_bottom + "meshing = { kind = \"none\" }\n"));
      },
      "must be meshed");
  expect_error(
      [&] { world(scene_text(on_its_bottom + "contact = { role = \"field\" }\n", sphere)); },
      "shell");
}

}  // namespace
}  // namespace pliant::test
