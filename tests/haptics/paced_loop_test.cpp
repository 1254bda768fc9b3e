// SPDX-License-Identifier: MIT
#include "pliant/haptics/paced_loop.hpp"

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <pthread.h>
#include <sched.h>

#include "pliant/base/error.hpp"
#include "pliant/haptics/real_time.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using testing::ElementsAre;

constexpr std::int64_t ms = 1'000'000;

// Time passes only by sleeping and by what a test adds.
struct FakeClock {
  std::int64_t time = 0;
  std::int64_t lateness = 0;  // of the next wake-up

  std::int64_t now() const noexcept { return time; }
  void sleep_until(std::int64_t ns) noexcept {
    if (ns > time) time = ns;
    time += lateness;
    lateness = 0;
  }
};

// Runs one cycle for each duration of work, and gives the index of each.
std::vector<std::uint64_t> run(PacedLoop& loop, FakeClock& clock,
                               const std::vector<std::int64_t>& work) {
  std::vector<std::uint64_t> indices;
  loop.run(
      [&](const Cycle& cycle) noexcept {
        EXPECT_GE(clock.time, cycle.deadline);
        clock.time += work[indices.size()];
        indices.push_back(cycle.index);
        if (indices.size() == work.size()) loop.stop();
      },
      clock);
  return indices;
}

TEST(PacedLoop, CallsAtEachDeadlineHoweverLongTheWorkWas) {
  PacedLoop loop(ms);
  FakeClock clock{7 * ms, 0};
  std::vector<std::int64_t> begins;
  loop.run(
      [&](const Cycle& cycle) noexcept {
        EXPECT_EQ(cycle.skipped, 0u);
        begins.push_back(clock.time);
        clock.time += cycle.index % 2 == 0 ? ms / 10 : ms;  // a whole period just fits
        if (cycle.index == 3) loop.stop();
      },
      clock);
  EXPECT_THAT(begins, ElementsAre(7 * ms, 8 * ms, 9 * ms, 10 * ms));
  EXPECT_EQ(loop.cycles(), 4u);
  EXPECT_EQ(loop.overruns(), 0u);
  EXPECT_EQ(loop.skipped(), 0u);
}

TEST(PacedLoop, SkipsTheDeadlinesThatHavePassedAndNeverBursts) {
  PacedLoop loop(ms);
  FakeClock clock;
  // The second cycle passes the deadlines 2, 3 and 4, the third passes none.
  EXPECT_THAT(run(loop, clock, {ms / 2, 3 * ms + ms / 2, ms / 2, ms / 2}), ElementsAre(0, 1, 5, 6));
  EXPECT_EQ(clock.time, 6 * ms + ms / 2);
  EXPECT_EQ(loop.overruns(), 1u);
  EXPECT_EQ(loop.skipped(), 3u);
  EXPECT_EQ(loop.late_wake_ups(), 0u);
  EXPECT_EQ(loop.work().max(), 3 * ms + ms / 2);
  EXPECT_EQ(loop.wake_up().max(), 0);
}

TEST(PacedLoop, CountsTheLongestRunOfOverruns) {
  PacedLoop loop(ms);
  FakeClock clock;
  run(loop, clock, {2 * ms, ms / 2, 2 * ms, 3 * ms, 2 * ms, ms / 2, 2 * ms});
  EXPECT_EQ(loop.overruns(), 5u);
  EXPECT_EQ(loop.longest_run(), 3u);
  loop.clear();
  EXPECT_EQ(loop.longest_run(), 0u);
}

TEST(PacedLoop, TellsTheWorkHowManyDeadlinesWereSkipped) {
  PacedLoop loop(ms);
  FakeClock clock;
  std::vector<std::uint64_t> skipped;
  loop.run(
      [&](const Cycle& cycle) noexcept {
        skipped.push_back(cycle.skipped);
        clock.time += cycle.index == 1 ? 2 * ms + 1 : 0;
        if (skipped.size() == 4) loop.stop();
      },
      clock);
  EXPECT_THAT(skipped, ElementsAre(0, 0, 2, 0));
}

TEST(PacedLoop, CountsOverrunsInARow) {
  PacedLoop loop(ms);
  FakeClock clock;
  run(loop, clock, {2 * ms, 2 * ms, ms / 2, 2 * ms, 2 * ms, 2 * ms, ms / 2, 2 * ms});
  EXPECT_EQ(loop.overruns(), 6u);
  EXPECT_EQ(loop.longest_run(), 3u);
  loop.clear();
  run(loop, clock, {2 * ms, ms / 2});
  EXPECT_EQ(loop.longest_run(), 1u);
}

TEST(PacedLoop, KeepsLateWakeUpsApartFromLongWork) {
  PacedLoop loop(ms);
  FakeClock clock;
  int cycles = 0;
  loop.run(
      [&](const Cycle&) noexcept {
        clock.time += ms / 2;
        if (cycles == 0) clock.lateness = ms / 4;      // of the second cycle: it still fits
        if (cycles == 1) clock.lateness = 3 * ms / 4;  // of the third: it does not
        if (++cycles == 4) loop.stop();
      },
      clock);
  EXPECT_EQ(loop.overruns(), 1u);
  EXPECT_EQ(loop.late_wake_ups(), 1u);
  EXPECT_EQ(loop.skipped(), 1u);
  EXPECT_EQ(loop.work().max(), ms / 2);
  EXPECT_EQ(loop.wake_up().max(), 3 * ms / 4);
  EXPECT_EQ(loop.wake_up().quantile(0.5), 0);
}

TEST(PacedLoop, AStopIsNotLostAndLastsUntilItIsCleared) {
  PacedLoop loop(ms);
  FakeClock clock;
  loop.stop();
  EXPECT_THAT(run(loop, clock, {0}), ElementsAre());
  loop.clear();
  EXPECT_THAT(run(loop, clock, {0, 5 * ms}), ElementsAre(0, 1));
  loop.clear();
  EXPECT_EQ(loop.cycles(), 0u);
  EXPECT_EQ(loop.overruns(), 0u);
  EXPECT_EQ(loop.skipped(), 0u);
  EXPECT_FALSE(loop.stopped());
}

TEST(PacedLoop, RefusesAPeriodOutOfRange) {
  for (const std::int64_t period : {std::int64_t{0}, -ms, std::int64_t{9'999}, 1000 * ms + 1}) {
    EXPECT_THROW(PacedLoop{period}, Error) << period;
  }
}

TEST(PacedLoop, RunsOnTheSystemsClockWithoutAllocating) {
  PacedLoop loop(ms);
  std::uint64_t last = 0;
  const std::int64_t start = MonotonicClock::now();
  const test::AllocationCounter counter;
  loop.run([&](const Cycle& cycle) noexcept {
    last = cycle.index;
    if (cycle.index >= 50) loop.stop();
  });
  EXPECT_EQ(counter.count(), 0);
  EXPECT_GE(MonotonicClock::now() - start, 50 * ms);
  EXPECT_GE(loop.cycles() + loop.skipped(), last + 1);  // the last cycle may have skipped some
  EXPECT_EQ(loop.wake_up().count(), loop.cycles());
}

TEST(PacedLoop, IsStoppedAndWatchedFromAnotherThread) {
  PacedLoop loop(100'000);
  std::thread thread([&] { loop.run([](const Cycle&) noexcept {}); });
  while (loop.cycles() < 20) std::this_thread::yield();
  EXPECT_LE(loop.wake_up().quantile(0.5), loop.wake_up().max());
  loop.stop();
  thread.join();
  EXPECT_GE(loop.cycles(), 20u);
}

TEST(RealTimeScope, GivesThePolicyBack) {
  const auto policy = [] {
    int policy = -1;
    sched_param parameters{};
    pthread_getschedparam(pthread_self(), &policy, &parameters);
    return policy;
  };
  const int before = policy();
  {
    const RealTimeScope scope;
    EXPECT_EQ(policy(), scope.fifo() ? SCHED_FIFO : before);
  }
  EXPECT_EQ(policy(), before);
}

TEST(RealTimeScope, LocksWhatIsNamedAndNotAllThatIsToCome) {
  const auto locked = [] {  // kB of this process
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      if (word != "VmLck:") continue;
      long size = 0;
      status >> size;
      return size;
    }
    return -1L;
  };
  constexpr long size = 8192;  // kB
  const std::vector<std::byte> memory(1024 * size);
  long during = 0;
  {
    const RealTimeScope scope({std::span(memory)});
    if (!scope.memory_locked()) GTEST_SKIP() << "memory may not be locked here";
    during = locked();
    EXPECT_GE(during, size);
    const std::vector<std::byte> more(1024 * size);
    EXPECT_EQ(locked(), during);
  }
  EXPECT_LE(locked(), during - size);
}

}  // namespace
}  // namespace pliant
