// SPDX-License-Identifier: MIT
#include "pliant/bake/bake_graph.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/base/types.hpp"
#include "support/temporary_folder.hpp"

namespace pliant {
namespace {

using Needs = std::span<const TensorFile* const>;

double sum_of(Needs needs) {
  double sum = 0.0;
  for (const TensorFile* file : needs) sum += file->matrix<double>("x")(0, 0);
  return sum;
}

// A step whose result is its own number plus those that it needs, and which counts its runs.
BakeStep adder(const std::string& name, double number, std::vector<std::size_t> needs,
               std::atomic<int>& runs) {
  return {name,
          "adder",
          1,
          std::to_string(number),
          std::move(needs),
          [number, &runs](Needs files, TensorWriter& out, Progress& progress) {
            progress.begin("sum");
            ++runs;
            out.keep("x", VectorXd(VectorXd::Constant(1, number + sum_of(files))));
            progress.end();
          }};
}

BakeGraph diamond(double first, std::atomic<int>& runs) {
  BakeGraph graph;
  const auto a = graph.add(adder("a", first, {}, runs));
  const auto b = graph.add(adder("b", 10, {a}, runs));
  const auto c = graph.add(adder("c", 100, {a}, runs));
  graph.add(adder("d", 1000, {b, c}, runs));
  return graph;
}

class BakeGraphTest : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  StepCache cache_{folder_.path() / "cache"};
  std::atomic<int> runs_{0};
};

TEST_F(BakeGraphTest, MakesEachStepOnceAndFindsItLater) {
  const BakeGraph graph = diamond(1, runs_);
  const auto first = graph.bake(cache_, Progress::none());
  EXPECT_EQ(runs_, 4);
  EXPECT_EQ(first.files[3]->matrix<double>("x")(0, 0), 1112);
  EXPECT_FALSE(first.report[3].cached);
  const auto second = graph.bake(cache_, Progress::none());
  EXPECT_EQ(runs_, 4);
  EXPECT_TRUE(second.report[0].cached && second.report[3].cached);
  EXPECT_EQ(second.files[3]->content_hash(), first.files[3]->content_hash());
}

TEST_F(BakeGraphTest, AChangedInputRemakesOnlyWhatDependsOnIt) {
  diamond(1, runs_).bake(cache_, Progress::none());
  BakeGraph graph;
  const auto a = graph.add(adder("a", 1, {}, runs_));
  const auto b = graph.add(adder("b", 20, {a}, runs_));
  const auto c = graph.add(adder("c", 100, {a}, runs_));
  graph.add(adder("d", 1000, {b, c}, runs_));
  const auto plan = graph.plan(cache_);
  EXPECT_TRUE(plan[0].cached && !plan[1].cached && plan[2].cached && !plan[3].cached);
  const auto result = graph.bake(cache_, Progress::none());
  EXPECT_EQ(runs_, 6);
  EXPECT_EQ(result.files[3]->matrix<double>("x")(0, 0), 1122);
}

TEST_F(BakeGraphTest, AnotherVersionOfAStepIsAnotherKey) {
  BakeGraph one, two;
  BakeStep step = adder("a", 1, {}, runs_);
  one.add(step);
  step.version = 2;
  two.add(step);
  EXPECT_NE(one.key(0), two.key(0));
}

TEST_F(BakeGraphTest, ADamagedEntryIsMadeAgain) {
  const BakeGraph graph = diamond(1, runs_);
  graph.bake(cache_, Progress::none());
  const auto path = cache_.folder() / (graph.key(1) + ".tensors");
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file.put('\x7f');  // the last byte of a number: the file is still well-formed
  }
  const auto result = graph.bake(cache_, Progress::none());
  EXPECT_EQ(runs_, 5);
  EXPECT_EQ(result.files[3]->matrix<double>("x")(0, 0), 1112);
  std::filesystem::resize_file(path, 20);
  graph.bake(cache_, Progress::none());
  EXPECT_EQ(runs_, 6);
}

TEST_F(BakeGraphTest, AnEntryOfAnotherKeyIsMadeAgain) {
  const BakeGraph graph = diamond(1, runs_);
  graph.bake(cache_, Progress::none());
  const auto path = [&](std::size_t s) { return cache_.folder() / (graph.key(s) + ".tensors"); };
  std::filesystem::copy_file(path(1), path(2), std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(cache_.find(graph.key(2)).has_value());
  std::filesystem::remove(path(3));
  EXPECT_EQ(graph.bake(cache_, Progress::none()).files[3]->matrix<double>("x")(0, 0), 1112);
  EXPECT_EQ(runs_, 6);
}

TEST_F(BakeGraphTest, AFailedStepLeavesTheFinishedOnesInTheCache) {
  BakeGraph graph;
  const auto a = graph.add(adder("a", 1, {}, runs_));
  BakeStep bad = adder("bad", 2, {a}, runs_);
  bad.make = [](Needs, TensorWriter&, Progress&) { throw Error("the material is made of cheese"); };
  graph.add(bad);
  EXPECT_THROW(graph.bake(cache_, Progress::none()), Error);
  EXPECT_TRUE(cache_.find(graph.key(0)).has_value());
  EXPECT_FALSE(cache_.find(graph.key(1)).has_value());
}

TEST_F(BakeGraphTest, StopsWhenCancelled) {
  Progress progress;
  BakeGraph graph;
  const auto a = graph.add(adder("a", 1, {}, runs_));
  BakeStep endless = adder("endless", 2, {a}, runs_);
  endless.make = [&](Needs, TensorWriter&, Progress& own) {
    progress.cancel();
    for (;;) own.advance();
  };
  graph.add(endless);
  EXPECT_THROW(graph.bake(cache_, progress), Cancelled);
  EXPECT_TRUE(cache_.find(graph.key(0)).has_value());
}

TEST_F(BakeGraphTest, TwoBakesAtOnceMakeEachStepOnce) {
  const BakeGraph graph = diamond(1, runs_);
  {
    std::vector<std::jthread> bakes;
    for (int i = 0; i < 4; ++i) {
      bakes.emplace_back([&] {
        const StepCache own(cache_.folder());
        EXPECT_EQ(graph.bake(own, Progress::none()).files[3]->matrix<double>("x")(0, 0), 1112);
      });
    }
  }
  EXPECT_EQ(runs_, 4);
}

TEST_F(BakeGraphTest, ReportsUnderTheNamesOfTheSteps) {
  std::vector<std::string> steps;
  Progress progress([&](const ProgressEvent& event) {
    if (event.kind == ProgressEvent::Kind::end) steps.push_back(event.step);
  });
  diamond(1, runs_).bake(cache_, progress);
  EXPECT_THAT(steps, testing::UnorderedElementsAre("a: sum", "b: sum", "c: sum", "d: sum"));
}

TEST_F(BakeGraphTest, TrimRemovesWhatWasNotUsedForLongest) {
  const BakeGraph graph = diamond(1, runs_);
  graph.bake(cache_, Progress::none());
  const auto path = [&](std::size_t s) { return cache_.folder() / (graph.key(s) + ".tensors"); };
  const auto size = std::filesystem::file_size(path(0));
  const auto now = std::filesystem::file_time_type::clock::now();
  for (std::size_t s = 0; s < 4; ++s) {
    std::filesystem::last_write_time(path(s), now - std::chrono::hours(s));
  }
  cache_.trim(2 * size + 64);
  EXPECT_TRUE(std::filesystem::exists(path(0)) && std::filesystem::exists(path(1)));
  EXPECT_FALSE(std::filesystem::exists(path(2)) || std::filesystem::exists(path(3)));
}

TEST(StepCache, AFolderThatCannotBeUsedIsAnError) {
  EXPECT_THROW(StepCache("/proc/nowhere"), Error);
}

TEST(StepCache, SweepsWhatNobodyWritesAndLeavesWhatSomebodyDoes) {
  const test::TemporaryFolder folder;
  AtomicFile living(folder / "0123456789abcdef.tensors");
  living.write("half");
  const auto day_before = std::filesystem::file_time_type::clock::now() - std::chrono::hours(48);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    std::filesystem::last_write_time(entry.path(), day_before);  // the clock jumped
  }
  std::ofstream(folder / "fedcba9876543210.tensors.XyZ123") << "of a process that was killed";
  const StepCache cache(folder.path());
  EXPECT_FALSE(std::filesystem::exists(folder / "fedcba9876543210.tensors.XyZ123"));
  living.commit();
  EXPECT_TRUE(std::filesystem::exists(folder / "0123456789abcdef.tensors"));
}

// Does the work as a user without rights, in a process of its own. What it says is the answer.
std::string as_another_user(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr unsigned nobody = 65534;
    std::string said = "the rights stay";
    if (::setgroups(0, nullptr) == 0 && ::setgid(nobody) == 0 && ::setuid(nobody) == 0) {
      try {
        said = work();
      } catch (const std::exception& error) {
        said = error.what();
      }
    }
    const auto written = ::write(ends[1], said.data(), said.size());
    ::_exit(written < 0);
  }
  ::close(ends[1]);
  std::string answer;
  char buffer[1024];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    answer.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return answer;
}

class SharedCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    ASSERT_TRUE(make(1, "aa00000000000000"));
  }
  void let_others_write(unsigned rights) {
    std::filesystem::permissions(folder_ / "cache", std::filesystem::perms(rights));
  }
  // Whether it was made, not found.
  bool make(double x, const std::string& key) {
    const StepCache cache(folder_ / "cache");
    const auto fill = [&](TensorWriter& out) { out.keep("x", VectorXd(VectorXd::Constant(1, x))); };
    return cache.find_or_make(key, fill, Progress::none()).made;
  }
  std::string make_as_another(const std::string& key) {
    return as_another_user([&] { return std::string(make(2, key) ? "made" : "found"); });
  }

  test::TemporaryFolder folder_;
};

TEST_F(SharedCacheTest, TwoUsersShareLocksAndEntries) {
  let_others_write(01777);
  EXPECT_EQ(make_as_another("aa00000000000000"), "found");
  EXPECT_EQ(make_as_another("aa00000000000001"), "made");  // under the lock of the first user
  EXPECT_FALSE(make(1, "aa00000000000001"));
  EXPECT_EQ(make_as_another("bb00000000000000"), "made");
  EXPECT_TRUE(make(1, "bb00000000000001"));  // under the lock of the second
}

TEST_F(SharedCacheTest, ACompleteCacheNeedsNoWriting) {
  let_others_write(0755);
  EXPECT_EQ(make_as_another("aa00000000000000"), "found");
  EXPECT_THAT(make_as_another("cc00000000000000"),
              testing::HasSubstr("cache: a step is not in this cache, and nothing can be written"));
}

}  // namespace
}  // namespace pliant
