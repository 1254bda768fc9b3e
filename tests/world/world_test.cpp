// SPDX-License-Identifier: MIT
#include <thread>

#include <gmock/gmock.h>

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/recording.hpp"
#include "pliant/world/recording/script.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;
using test::beam;

constexpr const char* full_engine = "{ kind = \"full\", damping = { alpha = 1, beta = 1e-3 } }";

class WorldTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    reduced_ = new TensorFile(bake_into(*folder_, beam(), "reduced.pliant"));
    full_ = new TensorFile(bake_into(*folder_, beam(full_engine), "full.pliant"));
  }
  static void TearDownTestSuite() {
    delete reduced_;
    delete full_;
    delete folder_;
  }
  // The point of the surface farthest along x.
  static int tip(const World& world) {
    int best = 0;
    for (int p = 0; p < world.point_count(0); ++p) {
      if (world.position(0, p).x() > world.position(0, best).x()) best = p;
    }
    return best;
  }
  static Command force(int point, const Vector3d& f) {
    return command::Force{.point = point, .force = f};
  }

  static test::TemporaryFolder* folder_;
  static TensorFile *reduced_, *full_;
};
test::TemporaryFolder* WorldTest::folder_ = nullptr;
TensorFile* WorldTest::reduced_ = nullptr;
TensorFile* WorldTest::full_ = nullptr;

TEST_F(WorldTest, TheReducedBeamSinksAsTheFullOneDoes) {
  World reduced(*reduced_, desktop_options()), full(*full_, desktop_options());
  const int point = tip(reduced);
  const Vector3d rest = reduced.position(0, point);
  for (int i = 0; i < 60; ++i) {
    reduced.step();
    full.step();
  }
  const double down = (full.position(0, point) - rest).y();
  EXPECT_LT(down, -1e-3) << "gravity bends it";
  EXPECT_NEAR((reduced.position(0, point) - rest).y(), down, 0.05 * std::abs(down));
}

TEST_F(WorldTest, AStepAllocatesNothing) {
  if (!test::AllocationCounter::can_count())
    GTEST_SKIP() << "allocations are not counted in this build";
  World world(*reduced_, desktop_options());
  world.post(command::Pull{.point = tip(world), .target = {0.4, 0.2, 0}});
  world.post(command::Material{.constants = {2e6, 1e6, 900}});
  world.post(command::ChangeDamping{.alpha = 2, .beta = 1e-3});
  world.post(command::Active{.count = 5});
  world.post(command::Wind{.velocity = {0, 0, 5}});
  const test::AllocationCounter counter;
  for (int i = 0; i < 200; ++i) world.step();
  world.post(command::Linear{.on = true});
  for (int i = 0; i < 20; ++i) world.step();
  world.post(command::Linear{.on = false});
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_EQ(counter.count(), 0);
}

TEST_F(WorldTest, ViscosityBringsTheBeamToRestWithoutAllocation) {
  const TensorFile viscous(bake_into(*folder_, beam(test::viscous_engine), "viscous.pliant"));
  const TensorFile elastic(
      bake_into(*folder_, beam("{ kind = \"reduced\", k = 5, r = 8 }"), "elastic.pliant"));
  const auto kinetic = [](const TensorFile& asset) {
    World world(asset, desktop_options());
    for (int i = 0; i < 900; ++i) world.step();
    const test::AllocationCounter counter;
    for (int i = 0; i < 100; ++i) world.step();
    if (test::AllocationCounter::can_count()) {
      EXPECT_EQ(counter.count(), 0);
    }
    double most = 0.0;
    for (int i = 0; i < 300; ++i) {  // more than a period
      world.step();
      most = std::max(most, world.make_state().bodies[0].energy.kinetic);
    }
    return most;
  };
  EXPECT_LT(kinetic(viscous), 1e-3 * kinetic(elastic));
}

TEST_F(WorldTest, TheLinearBodyIsInEquilibriumWithItsHandsAtOnce) {
  World world(*reduced_, desktop_options());
  world.apply(command::Gravity{});
  world.apply(command::Linear{.on = true});
  const int point = tip(world);
  const Vector3d rest = world.position(0, point);
  // A force: twice of it bends twice as far, without any motion on the way.
  world.apply(force(point, {0, 5, 0}));
  world.step();
  const Vector3d once = world.position(0, point) - rest;
  EXPECT_GT(once.y(), 1e-3);
  world.apply(force(point, {0, 10, 0}));
  world.step();
  // Positions of 0.4 m are in single precision.
  EXPECT_LT((world.position(0, point) - rest - 2 * once).norm(), 1e-7);
  // A spring, however stiff: k (target - x) = F, and F alone bends the body as far.
  world.apply(command::Release{});
  const Vector3d target = rest + Vector3d(0, 0.01, 0);
  world.apply(command::Pull{.point = point, .target = target, .stiffness = 1e5});
  WorldState state = world.make_state();
  for (int i = 0; i < 2; ++i) world.step();
  world.state(state);
  const Vector3d at = world.position(0, point);
  EXPECT_LT((at - target).norm(), 0.005) << "it follows";
  EXPECT_EQ(state.bodies[0].energy.kinetic, 0.0);
  world.apply(force(point, state.pulls[0].force));
  world.step();
  EXPECT_LT((world.position(0, point) - at).norm(), 1e-3 * (at - rest).norm());
  // And back to dynamics.
  world.apply(command::Linear{.on = false});
  world.apply(command::Release{});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(world.step(), StepStatus::ok);
  EXPECT_LT(world.position(0, point).y(), at.y()) << "it swings back";
}

TEST_F(WorldTest, APulledPointFollowsTheHandAndIsLetGo) {
  World world(*reduced_, desktop_options());
  const int point = tip(world);
  const Vector3d target = world.position(0, point) + Vector3d(0, 0.05, 0);
  world.apply(command::Pull{.slot = 2, .point = point, .target = target});
  for (int i = 0; i < 2000; ++i) world.step();
  WorldState state = world.make_state();
  EXPECT_GT(world.position(0, point).y(), target.y() - 0.025);
  EXPECT_GT(state.pulls[2].force.y(), 0);
  world.apply(command::Release{.slot = 2});
  for (int i = 0; i < 2000; ++i) world.step();
  EXPECT_LT(world.position(0, point).y(), target.y() - 0.05);
}

TEST_F(WorldTest, AStifferMaterialBendsLess) {
  const auto deflection = [&](double factor) {
    World world(*reduced_, desktop_options());
    const int point = tip(world);
    const double rest = world.position(0, point).y();
    const fem::Lame lame = fem::lame(factor * 1e6, 0.4);
    world.apply(command::Material{.constants = {lame.lambda, lame.mu, 1000}});
    for (int i = 0; i < 3000; ++i) world.step();
    return world.position(0, point).y() - rest;
  };
  const double soft = deflection(1), stiff = deflection(4);
  EXPECT_NEAR(soft / stiff, 4, 0.3);
}

TEST_F(WorldTest, CommandsThatMakeNoSenseAreCountedAndChangeNothing) {
  World world(*reduced_, desktop_options());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Command bad[] = {
      command::Pull{.body = 7, .target = {0, 0, 0}},
      command::Pull{.point = 1 << 30},
      command::Pull{.slot = 200},
      command::Force{.force = {nan, 0, 0}},
      command::Material{.constants = {1, -1, 1}},
      command::Material{.region = 9, .constants = {1, 1, 1}},
      command::ChangeDamping{.alpha = nan, .beta = 0},
      command::Active{.count = 0},
      command::Gravity{.vector = {nan, 0, 0}},
      command::Speed{.factor = 0},
  };
  for (const Command& command : bad) world.apply(command);
  World other(*reduced_, desktop_options());
  for (int i = 0; i < 50; ++i) {
    world.step();
    other.step();
  }
  EXPECT_EQ(world.make_state().refused_commands, 10);
  EXPECT_EQ(world.make_state().bodies[0].c, other.make_state().bodies[0].c);
}

// Without damping it comes back to where it was let go, and has nearly no energy there: what the
// steps gained on the way is a small part of what it had.
TEST_F(WorldTest, ABeamThatSwingsUnderItsWeightIsNotLimited) {
  const Scene scene =
      beam("{ kind = \"reduced\", k = 6, r = 8, damping = { alpha = 0, beta = 0 } }");
  const TensorFile asset(bake_into(*folder_, scene, "undamped.pliant"));
  World world(asset, desktop_options());
  for (int i = 0; i < 6000; ++i) EXPECT_EQ(world.step(), StepStatus::ok) << i;
}

// Whatever is asked for: no number that others see is other than finite, and a step that could not
// keep it so says it.
TEST_F(WorldTest, ForcesBeyondAllMeasureGiveAStatusAndNoNaN) {
  for (const TensorFile* asset : {reduced_, full_}) {
    for (const double size : {1e15, 1e22, 1e30, 1e100, 1e300}) {
      World world(*asset, desktop_options());
      WorldState state = world.make_state();
      Recording recording(*folder_ / "huge.pliant", {"beam"});
      world.apply(force(tip(world), {size, -size, size}));
      for (int i = 0; i < 40; ++i) {
        if (i == 20) world.apply(command::Release{});
        world.step();
        world.state(state);
        recording.add(state);
        EXPECT_TRUE(state.bodies[0].c.allFinite()) << size << " " << i;
        EXPECT_TRUE(std::isfinite(state.bodies[0].energy.kinetic)) << size << " " << i;
      }
      EXPECT_NE(state.status_counts, decltype(state.status_counts){}) << size;
      recording.write();
      const TensorFile file(*folder_ / "huge.pliant");
      const auto energy = file.matrix<double>("beam/energy");
      const auto status = file.matrix<int>("status");
      for (Index i = 0; i < status.size(); ++i) {
        if (energy.col(i).allFinite()) continue;
        EXPECT_TRUE(has(static_cast<StepStatus>(status(i)), StepStatus::not_finite)) << size;
      }
    }
  }
}

// Sound by its hashes and wrong all the same: made by another program.
TEST_F(WorldTest, AnErrorOfAnAssetNamesItsFile) {
  for (const TensorFile* asset : {reduced_, full_}) {
    int refused = 0;
    for (const auto& [left_out, info] : asset->tensors()) {
      for (const bool shorter : {false, true}) {
        TensorWriter writer;
        for (const auto& [key, text] : asset->metadata()) writer.set(key, text);
        for (const auto& [name, tensor] : asset->tensors()) {
          if (name != left_out) writer.add(name, tensor.dtype, tensor.shape, tensor.bytes.data());
          if (name != left_out || !shorter || tensor.shape[0] == 0) continue;
          std::vector<std::int64_t> shape = tensor.shape;
          --shape[0];
          writer.add(name, tensor.dtype, shape, tensor.bytes.data());
        }
        writer.write(*folder_ / "odd.pliant");
        try {
          const TensorFile file(*folder_ / "odd.pliant");
          const World world(file, desktop_options());
        } catch (const Error& error) {
          ++refused;
          EXPECT_THAT(error.what(), testing::HasSubstr("odd.pliant: ")) << left_out;
        }
      }
    }
    EXPECT_GT(refused, 10);
  }
}

TEST_F(WorldTest, PausesAdvancesSlowsDownAndStartsAgain) {
  World world(*reduced_, desktop_options());
  const auto steps = [&] { return world.make_state().step; };
  world.apply(command::Pause{.on = true});
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_EQ(steps(), 0);
  world.apply(command::Advance{.steps = 3});
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_EQ(steps(), 3);
  world.apply(command::Pause{.on = false});
  world.apply(command::Speed{.factor = 0.25});
  for (int i = 0; i < 40; ++i) world.step();
  EXPECT_EQ(steps(), 13);
  world.apply(command::Reset{});
  EXPECT_EQ(steps(), 0);
  EXPECT_TRUE(world.make_state().bodies[0].c.isZero(0.0));
}

TEST_F(WorldTest, AnotherThreadPostsCommandsAndSeesSnapshots) {
  World world(*reduced_, desktop_options());
  const int point = tip(world);
  std::jthread owner([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) world.step();
  });
  EXPECT_TRUE(world.post(force(point, {0, 0, 1})));
  bool seen = false;
  for (int i = 0; i < 20000 && !seen; ++i) {
    if (world.snapshots().fetch()) {
      seen = world.snapshots().front().pulls[0].kind == PullState::Kind::force;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_TRUE(seen);
}

TEST_F(WorldTest, TheSameScriptGivesTheSameBitsForAnyNumberOfThreads) {
  const auto hash = [&](const TensorFile& asset, int count, int steps) {
    set_threads(count);
    World world(asset, desktop_options());
    const auto script = parse_script(
        "time,kind,slot,body,point,x,y,z,value\n"
        "0.0,force,0,beam,near:0.4:0:0,0,-3,1,\n"
        "# let go\n"
        "0.01,release,0,,,,,,\n"
        "0.01,gravity,,,,0,0,-9.81,\n",
        "script", world);
    Recording recording("motion.csv", {"beam"});
    WorldState state = world.make_state();
    std::size_t next = 0;
    for (int i = 0; i < steps; ++i) {
      while (next < script.size() && script[next].time < (i + 0.5) * world.dt()) {
        world.apply(script[next++].command);
      }
      world.step();
      world.state(state);
      recording.add(state);
    }
    set_threads(0);
    return recording.hash();
  };
  EXPECT_EQ(hash(*reduced_, 1, 100), hash(*reduced_, 2, 100));
  EXPECT_EQ(hash(*full_, 1, 12), hash(*full_, 2, 12));
  EXPECT_NE(hash(*reduced_, 1, 100), hash(*reduced_, 1, 101));
}

TEST_F(WorldTest, AWrongScriptNamesItsLine) {
  const World world(*reduced_, desktop_options());
  const auto message = [&](const std::string& line) -> std::string {
    try {
      parse_script("time,kind,slot,body,point,x,y,z,value\n" + line + "\n", "script.csv", world);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(message("x,force,0,beam,1,0,0,0,"), HasSubstr("script.csv:2"));
  EXPECT_THAT(message("0,push,0,beam,1,0,0,0,"), HasSubstr("force, pull"));
  EXPECT_THAT(message("0,force,9,beam,1,0,0,0,"), HasSubstr("slot"));
  EXPECT_THAT(message("0,force,0,boat,1,0,0,0,"), HasSubstr("beam"));
  EXPECT_THAT(message("0,force,0,beam,99999999,0,0,0,"), HasSubstr("point"));
  EXPECT_THAT(message("0,force,0,beam,near:1:2,0,0,0,"), HasSubstr("near:X:Y:Z"));
  EXPECT_THAT(message("0,force,0,beam,1,nan,0,0,"), HasSubstr("finite"));
  EXPECT_THAT(message("0,force,0,beam,1"), HasSubstr("fields"));
  EXPECT_THAT(message("1,reset,,,,,,,\n0,reset,,,,,,,"), HasSubstr("ascend"));
  EXPECT_EQ(message("0,release,0,,,,,,"), "");
}

TEST_F(WorldTest, ARecordingDoneAgainGivesTheSameBits) {
  const std::filesystem::path path = *folder_ / "loads.pliant";
  const auto run = [&](const TensorFile& asset, const auto& script_of, bool reset = false) {
    World world(asset, desktop_options());
    ScriptPlayer script(script_of(world));
    Recording recording(path, {"beam"});
    WorldState state = world.make_state();
    for (int i = 0; i < 60; ++i) {
      if (reset && i == 30) world.apply(command::Reset{});
      script.before_step(i, world);
      world.step();
      world.state(state);
      recording.add(state);
    }
    recording.write();
    return recording.hash();
  };
  const auto by_hand = [](const World& world) {
    return parse_script(
        "time,kind,slot,body,point,x,y,z,value\n"
        "0.0,force,0,beam,near:0.4:0:0,0,-3,1,\n"
        "0.005,pull,1,beam,near:0.4:0:0,0.4,0.1,0,200\n"
        "0.010,release,0,,,,,,\n"
        "0.012,pull,1,beam,near:0.4:0:0,0.4,0.2,0,200\n"
        "0.020,pull,1,beam,near:0.3:0:0,0.3,0.2,0,\n"
        "0.030,gravity,,,,0,0,-9.81,\n"
        "0.040,release,1,,,,,,\n",
        "script", world);
  };
  const auto again = [&](const World& world) { return read_script(path, world); };
  const std::uint64_t first = run(*reduced_, by_hand);
  EXPECT_NE(first, run(*reduced_, [](const World&) { return std::vector<TimedCommand>(); }));
  ASSERT_EQ(first, run(*reduced_, by_hand));
  EXPECT_EQ(first, run(*reduced_, again));
  run(*reduced_, by_hand, true);
  EXPECT_THROW(read_script(path, World(*reduced_, desktop_options())), Error) << "time went back";
  EXPECT_THROW(recorded_script(*reduced_, World(*reduced_, desktop_options())), Error)
      << "an asset";
}

TEST_F(WorldTest, ARecordingIsWrittenAsTensorsOrAsText) {
  World world(*reduced_, desktop_options());
  WorldState state = world.make_state();
  for (const char* name : {"motion.csv", "motion.pliant"}) {
    Recording recording(*folder_ / name, {"beam"});
    for (int i = 0; i < 3; ++i) {
      world.step();
      world.state(state);
      recording.add(state);
    }
    recording.write();
  }
  const TensorFile file(*folder_ / "motion.pliant");
  EXPECT_THAT(file.at("beam/c").shape, testing::ElementsAre(3, 8));
  EXPECT_EQ(file.matrix<double>("time")(0, 0), 4 * world.dt());
  const MappedFile csv(*folder_ / "motion.csv");
  EXPECT_THAT(std::string(csv.bytes()), testing::HasSubstr("beam.c7\n"));
  EXPECT_THROW(Recording("motion.txt", {"beam"}), Error);
}

}  // namespace
}  // namespace pliant
