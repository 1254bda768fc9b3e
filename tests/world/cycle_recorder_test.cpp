// SPDX-License-Identifier: MIT
// Every cycle to a file, and the same again from it.
#include "pliant/world/recording/cycle_recorder.hpp"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "pliant/bake/device_trajectory.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/cycle_replay.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;
using test::TemporaryFolder;

std::string scene_text(const std::string& device) {
  return "gravity = [0, 0, 0]\n[contact]\nstiffness = 5000\n"
         "[handle]\nbody = \"tool\"\nstiffness = 800\nmost_force = 20\ndevice_force = 30\n" +
         device +
         "[body.floor]\nshape = [{ kind = \"plane\" }]\n"
         "[body.tool]\nmesh = { model = \"sphere\", parameters = { radius = 0.05 } }\n"
         "pose = { position = [0, 0.06, 0] }\nengine = { kind = \"rigid\", motion = \"kinematic\" "
         "}\n"
         "contact = { resolution = 48, points = 2000 }\n";
}
const std::string operator_device =
    "[device]\nkind = \"operator\"\nmotion = \"poke\"\nsize = 0.03\nperiod = 0.4\n"
    "grip_stiffness = 300\ntremor = 1e-4\n";

class CycleRecorderTest : public testing::Test {
 protected:
  TensorFile bake(const std::string& device) {
    return TensorFile(bake_into(folder_, parse_scene(scene_text(device), "d.toml", ".")));
  }
  std::filesystem::path file() const { return folder_ / "cycles.safetensors"; }

  TemporaryFolder folder_;
};

TEST(CycleRows, KeepEveryCommandToTheBit) {
  const std::vector<Command> all = {command::Reset{},
                                    command::Pull{3, 1, 77, {0.1, -0.2, 1e-17}, 12.5},
                                    command::Force{7, 0, 5, {1, 2, 3}},
                                    command::Release{2},
                                    command::Material{1, 2, {1e6, 2e6, 900}},
                                    command::ChangeDamping{0, 0.5, 1e-3},
                                    command::Active{1, 8},
                                    command::Linear{1, true},
                                    command::Move{2, {1, 2, 3}, {0.5, 0.5, -0.5, 0.5}},
                                    command::Handle{{0.1, 0.2, 0.3}, {1, 0, 0, 0}},
                                    command::Control{0, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
                                    command::Gravity{{0, -9.81, 0}},
                                    command::Wind{{1, 0, 0}},
                                    command::Pause{true},
                                    command::Advance{-5},
                                    command::Speed{0.25},
                                    command::Workspace{2.5, true},
                                    command::Grasp{{0.1, 0.2, -0.3}},
                                    command::Grip{0.25},
                                    command::LetGo{}};
  ASSERT_EQ(all.size(), std::variant_size_v<Command>);
  for (const Command& sent : all) {
    const CycleRow row = row_of(sent);
    const auto read = command_of(row);
    ASSERT_TRUE(read) << sent.index();
    ASSERT_EQ(read->index(), sent.index());
    EXPECT_EQ(row_of(*read), row) << sent.index();
  }
  CycleRow bad = row_of(all[1]);
  bad[4] = 300;  // a hand that a byte cannot say
  EXPECT_FALSE(command_of(bad));
  bad = row_of(all[0]);
  bad[3] = 99;
  EXPECT_FALSE(command_of(bad));
}

TEST_F(CycleRecorderTest, AReplayGivesTheForcesToTheBit) {
  const TensorFile asset = bake(operator_device);
  {
    World world(asset, desktop_options());
    CycleRecorder recorder(file(), world);
    world.set_log(&recorder);
    Random random(5);
    const test::AllocationCounter counter;
    for (int n = 0; n < 1500; ++n) {
      // What viewers do besides, between cycles.
      if (n == 300) world.apply(command::Gravity{{0, -1, 0}});
      if (n == 500) world.post(command::Pause{true});
      if (n == 520) world.post(command::Advance{7});
      if (n == 560) world.post(command::Pause{false});
      if (n == 700) world.post(command::Workspace{1.5, false});
      if (n == 900) world.post(command::Workspace{1.5, true});
      if (n == 950) world.post(command::Workspace{1.0, false});
      if (n == 1200) world.post(command::Reset{});
      world.step();
      recorder.end_cycle(1.0);
    }
    if (test::AllocationCounter::can_count()) {
      EXPECT_EQ(counter.count(), 0);
    }
    recorder.finish();
    EXPECT_EQ(recorder.rows(), 1500 + 8);
    EXPECT_EQ(recorder.lost(), 0);
    EXPECT_EQ(recorder.problem(), "");
  }
  World again(asset, desktop_options());
  CycleReplay replay(CycleFile(file()), again);
  EXPECT_EQ(replay.cycles(), 1500);
  double most = 0;
  {
    const test::AllocationCounter counter;
    while (replay.step()) most = std::max(most, again.data().device.rendered.norm());
    if (test::AllocationCounter::can_count()) {
      EXPECT_EQ(counter.count(), 0);
    }
  }
  EXPECT_GT(most, 1.0);  // it touched
  EXPECT_EQ(replay.different(), 0) << "first at " << replay.first_different();
}

// The comparison can fail: a world that is steered otherwise.
TEST_F(CycleRecorderTest, AReplayNoticesOtherForces) {
  const TensorFile asset = bake(operator_device);
  {
    World world(asset, desktop_options());
    CycleRecorder recorder(file(), world);
    world.set_log(&recorder);
    for (int n = 0; n < 400; ++n) {
      world.step();
      recorder.end_cycle(1.0);
    }
  }
  World again(asset, desktop_options());
  again.apply(command::Workspace{1.0, false});
  CycleReplay replay(CycleFile(file()), again);
  again.apply(command::Workspace{1.001, false});
  while (replay.step()) {
  }
  EXPECT_GT(replay.different(), 0);
}

TEST_F(CycleRecorderTest, AReplayRefusesAnotherScene) {
  {
    const TensorFile asset = bake(operator_device);
    World world(asset, desktop_options());
    CycleRecorder recorder(file(), world);
  }
  const TensorFile other = bake("");
  World world(other, desktop_options());
  EXPECT_THROW(CycleReplay(CycleFile(file()), world), Error);
}

// A pointer in a browser: the hand moves by commands.
TEST_F(CycleRecorderTest, AHandThatViewersMoveIsReplayedToo) {
  const TensorFile asset = bake("[device]\nkind = \"viewer\"\n");
  {
    World world(asset, desktop_options());
    CycleRecorder recorder(file(), world);
    world.set_log(&recorder);
    for (int n = 0; n < 600; ++n) {
      if (n % 16 == 0) world.post(command::Handle{{0, 0.06 - 4e-5 * n, 0}, {1, 0, 0, 0}});
      world.step();
      recorder.end_cycle(1.0);
    }
  }
  World again(asset, desktop_options());
  CycleReplay replay(CycleFile(file()), again);
  double most = 0;
  while (replay.step()) most = std::max(most, again.data().hold.felt.on_hand.norm());
  EXPECT_GT(most, 1.0);
  EXPECT_EQ(replay.different(), 0);
}

// A clock on which every look at it takes longer than the last.
double clock_step = 0, clock_now = 0;
double slowing_clock() noexcept {
  return clock_now += clock_step *= 1.005;
}

// Contact had less and less time: a machine with another clock, or none, looks at as many points.
TEST_F(CycleRecorderTest, AReplayKeepsToTheRecordedBudgetOfContact) {
  const std::string text =
      "gravity = [0, 0, 0]\n[contact]\ntime = 0.5\nstiffness = 5000\n"
      "[handle]\nbody = \"block\"\nstiffness = 2000\nmost_force = 40\n[device]\nkind = \"viewer\"\n"
      "[body.floor]\nshape = [{ kind = \"plane\" }]\n"
      "[body.block]\nshape = [{ kind = \"box\", sides = [0.2, 0.1, 0.2] }]\n"
      "pose = { position = [0, 0.06, 0] }\n"
      "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
      "contact = { role = \"shell\", resolution = 64, points = 4000, levels = 4 }\n";
  const TensorFile asset(bake_into(folder_, parse_scene(text, "b.toml", ".")));
  clock_step = 1e-4;
  WorldOptions timed = desktop_options();
  timed.clock = slowing_clock;
  int first = 0, last = 0, most_left_out = 0;
  {
    World world(asset, timed);
    CycleRecorder recorder(file(), world);
    world.set_log(&recorder);
    for (int n = 0; n < 600; ++n) {
      if (n % 10 == 0) {
        const double half = 0.01 * std::sin(2e-3 * n);
        world.post(
            command::Handle{{0, 0.0515 - 1e-5 * n, 0}, {std::cos(half), 0, 0, std::sin(half)}});
      }
      world.step();
      recorder.end_cycle(1.0);
      const ContactCounters& contact = world.data().contact.counters;
      if (n == 0) first = contact.budget;
      last = contact.budget;
      most_left_out = std::max(most_left_out, contact.levels_left_out);
    }
  }
  EXPECT_LT(last, first / 4);
  EXPECT_GT(most_left_out, 0);
  for (const bool with_clock : {false, true}) {
    clock_step = 1e-9;
    World again(asset, with_clock ? timed : desktop_options());
    CycleReplay replay(CycleFile(file()), again);
    double most = 0;
    while (replay.step()) most = std::max(most, again.data().hold.felt.on_hand.norm());
    EXPECT_GT(most, 1.0);
    EXPECT_EQ(again.data().contact.counters.budget, last);
    EXPECT_EQ(replay.different(), 0) << "first at " << replay.first_different();
  }
}

// A file that its program was killed in the middle of has bytes behind the rows that count.
TEST_F(CycleRecorderTest, AFileIsSoundAlthoughItsEndIsNot) {
  const TensorFile asset = bake(operator_device);
  World world(asset, desktop_options());
  {
    CycleRecorder recorder(file(), world);
    world.set_log(&recorder);
    for (int n = 0; n < 50; ++n) {
      world.step();
      recorder.end_cycle(1.0);
    }
    world.set_log(nullptr);
  }
  std::ofstream(file(), std::ios::app) << "half a row";
  EXPECT_EQ(CycleFile(file()).size(), 50);
  std::filesystem::resize_file(file(), cycle_head_size + 49 * sizeof(CycleRow));
  EXPECT_THROW(CycleFile{file()}, Error);
  std::ofstream(file()) << "nothing";
  EXPECT_THROW(CycleFile{file()}, Error);
}

// A disk that takes no more: the limit of a file's size stands in for it.
TEST_F(CycleRecorderTest, AFullDiskEndsTheRecordingAndNotTheRun) {
  const TensorFile asset = bake(operator_device);
  World world(asset, desktop_options());
  CycleRecorder recorder(file(), world);
  world.set_log(&recorder);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{cycle_head_size + 700 * sizeof(CycleRow) + 100, before.rlim_max};
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  Vector3d last = Vector3d::Zero();
  double largest_jump = 0;
  const test::AllocationCounter counter;
  for (int n = 0; n < 3000; ++n) {
    world.step();
    recorder.end_cycle(1.0);
    const Vector3d now = world.data().device.rendered.head<3>();
    largest_jump = std::max(largest_jump, (now - last).norm());
    last = now;
    if (n % 200 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(15));
  }
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  recorder.finish();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  EXPECT_THAT(recorder.problem(), testing::HasSubstr("the run goes on"));
  EXPECT_EQ(world.data().step_count, 3000);
  EXPECT_LE(largest_jump, DevicePortSpec{}.most_change * world.dt() + 1e-9);
  const CycleFile kept(file());
  EXPECT_GT(kept.size(), 0);
  EXPECT_LE(kept.size(), 700);
  world.set_log(nullptr);
}

// A scene that replays a file: the asset carries the motion.
TEST_F(CycleRecorderTest, ASceneReplaysATrajectory) {
  std::ofstream(folder_ / "path.csv") << "time,x,y,z\n0,0,0,0\n0.2,0.1,0,0\n0.4,0.1,0.02,0\n";
  const std::string device =
      "[device]\nkind = \"replay\"\nfile = \"" + (folder_ / "path.csv").string() + "\"\n";
  const TensorFile asset = bake(device);
  std::filesystem::remove(folder_ / "path.csv");
  World world(asset, desktop_options());
  const Vector3d start = world.data().hold.start.position;
  for (int n = 0; n <= 300; ++n) world.step();
  const Vector3d went = world.data().hold.target.position - start;
  EXPECT_LT((went - Vector3d(0.1, 0.01, 0)).norm(), 1e-9);
}

TEST_F(CycleRecorderTest, ASceneReplaysARecording) {
  const TensorFile asset = bake(operator_device);
  World world(asset, desktop_options());
  Vector3d at_200;
  {
    CycleRecorder recorder(file(), world);
    world.set_log(&recorder);
    for (int n = 0; n < 400; ++n) {
      world.step();
      recorder.end_cycle(1.0);
      if (n == 200) at_200 = world.device()->sample()->pose.position;
    }
    world.set_log(nullptr);
  }
  const MatrixXd points = read_trajectory(file());
  ASSERT_EQ(points.cols(), 400);
  EXPECT_EQ(Vector3d(points.col(200).segment<3>(1)), at_200);
  EXPECT_NEAR(points(0, 200), 0.2, 1e-12);
}

}  // namespace
}  // namespace pliant
