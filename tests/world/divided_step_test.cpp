// SPDX-License-Identifier: MIT
// A body with a rate of its own beside one of the world's.
#include "pliant/world/divided_step.hpp"

#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/world/desktop.hpp"
#include "support/allocation_counter.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;
using test::beam;

constexpr const char* full_engine = "{ kind = \"full\", damping = { alpha = 1, beta = 1e-3 } }";

// Two beams, a reduced and a full one; the full one at a tenth of the rate.
Scene two_beams(double rate = 100) {
  Scene scene = beam();
  BodySpec slow = beam(full_engine).bodies[0];
  slow.name = "slow";
  slow.rate = rate;
  slow.pose.position = {0, 0, 0.5};
  scene.bodies.push_back(slow);
  return scene;
}

class DividedStepTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    asset_ = new TensorFile(bake_into(*folder_, two_beams(), "two.pliant"));
  }
  static void TearDownTestSuite() {
    delete asset_;
    delete folder_;
  }
  static std::vector<VectorXf> run(const WorldOptions& options, int steps) {
    World world(*asset_, options);
    std::vector<VectorXf> motion;
    for (int i = 0; i < steps; ++i) {
      if (i == 35) world.apply(command::Force{.body = 1, .point = 3, .force = {0, 0, 20}});
      world.step();
      motion.push_back(world.body(1).motion.c);
    }
    return motion;
  }

  static test::TemporaryFolder* folder_;
  static TensorFile* asset_;
};
test::TemporaryFolder* DividedStepTest::folder_ = nullptr;
TensorFile* DividedStepTest::asset_ = nullptr;

TEST_F(DividedStepTest, ThreadsAndPromptWorkersGiveTheSameBits) {
  WorldOptions prompt = desktop_options();
  prompt.make_worker = nullptr;
  const auto by_thread = run(desktop_options(), 120), at_once = run(prompt, 120);
  for (std::size_t i = 0; i < by_thread.size(); ++i) EXPECT_EQ(by_thread[i], at_once[i]) << i;
}

TEST_F(DividedStepTest, ShowsTheStatesOfTheEngineOneStepLateAndStraightBetween) {
  // The same beam alone, at its own rate.
  Scene alone = beam(full_engine);
  alone.rate = 100;
  const TensorFile asset(bake_into(*folder_, alone, "alone.pliant"));
  World world(asset, desktop_options());
  std::vector<VectorXf> states{world.body(0).motion.c};
  for (int i = 0; i < 8; ++i) {
    world.step();
    states.push_back(world.body(0).motion.c);
  }
  World two(*asset_, desktop_options());
  for (int n = 0; n < 60; ++n) {
    two.step();
    const int period = n / 10;  // shown: from state(period - 1) to state(period)
    const float t = static_cast<float>(n % 10 + 1) / 10.0F;
    const auto from = static_cast<std::size_t>(std::max(0, period - 1));
    const VectorXf expected = (1 - t) * states[from] + t * states[static_cast<std::size_t>(period)];
    EXPECT_LT((two.body(1).motion.c - expected).norm(), 1e-5F * (1e-6F + expected.norm())) << n;
  }
  EXPECT_GT(states.back().norm(), 1e-4F) << "gravity bends it";
}

// A worker that is late until it is told otherwise.
std::atomic<bool> let_go{true};
class LateWorker final : public Worker {
 public:
  void start(Work work, void* context) noexcept override {
    thread_ = std::jthread([=, this] {
      done_ = false;
      while (!let_go) std::this_thread::yield();
      work(context);
      done_ = true;
    });
    started_ = true;
  }
  bool done() noexcept override { return !started_ || (let_go && (wait(), true)); }
  void wait() noexcept override {
    if (thread_.joinable()) thread_.join();
    started_ = false;
  }

 private:
  std::jthread thread_;
  std::atomic<bool> done_{true};
  bool started_ = false;
};

TEST_F(DividedStepTest, ALateWorkersLastStateIsHeldAndCounted) {
  WorldOptions options = real_time_options();
  options.make_worker = []() -> std::unique_ptr<Worker> { return std::make_unique<LateWorker>(); };
  let_go = true;
  World world(*asset_, options);
  for (int i = 0; i < 30; ++i) world.step();
  let_go = false;
  for (int i = 0; i < 20; ++i) world.step();
  const VectorXf held = world.body(1).motion.c;
  EXPECT_EQ(world.apply(command::ChangeDamping{.body = 0, .alpha = 1, .beta = 0}), Refusal::none);
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_EQ(world.body(1).motion.c, held);
  WorldState state = world.make_state();
  EXPECT_GE(state.status_counts[6], 2) << "StepStatus::late";
  EXPECT_EQ(state.fault.body, 1);
  EXPECT_TRUE(has(state.fault.status, StepStatus::late));
  // Reset while it is late: rest at once, and rest again when the late step has come.
  world.apply(command::Reset{});
  EXPECT_TRUE(world.body(1).motion.c.isZero(0.0F));
  let_go = true;
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_TRUE(world.body(1).motion.c.isZero(0.0F));
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_FALSE(world.body(1).motion.c.isZero(0.0F)) << "it moves on";
}

TEST_F(DividedStepTest, TheWorldsThreadAllocatesNothing) {
  if (!test::AllocationCounter::can_count())
    GTEST_SKIP() << "allocations are not counted in this build";
  // A reduced body by a prompt worker: all of it is the world's thread.
  Scene scene = beam();
  scene.bodies[0].rate = 250;
  const TensorFile asset(bake_into(*folder_, scene, "slow_reduced.pliant"));
  World world(asset, {.engines = engines()});
  world.apply(command::Pull{.point = 5, .target = {0.3, 0.2, 0}});
  const test::AllocationCounter counter;
  for (int i = 0; i < 100; ++i) world.step();
  EXPECT_EQ(counter.count(), 0);
}

TEST_F(DividedStepTest, ARateThatDoesNotGoIntoTheWorldsIsRefused) {
  try {
    World world(TensorFile(bake_into(*folder_, two_beams(300), "odd.pliant")), desktop_options());
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("slow"));
    EXPECT_THAT(error.what(), testing::HasSubstr("1000"));
  }
}

}  // namespace
}  // namespace pliant
