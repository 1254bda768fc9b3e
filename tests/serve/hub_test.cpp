// SPDX-License-Identifier: MIT
// The hub with viewers that are made of nothing but their links.
#include "pliant/serve/hub.hpp"

#include <thread>

#include <gmock/gmock.h>

#include "frames.hpp"
#include "pliant/haptics/real_time.hpp"
#include "pliant/serve/access.hpp"
#include "pliant/serve/http_answer.hpp"
#include "running_server.hpp"

namespace pliant::serve {
namespace {

using test::decode;
using test::Scenes;

struct FakeViewer {
  explicit FakeViewer(Hub& hub, const std::string& rate = "60") {
    id = hub.join({.send_text = [this](SharedText text) { texts.push_back(*text); },
                   .send_frame =
                       [this](const FrameHead& head, SharedText sections,
                              const FrameCounters& counters) {
                         frames.push_back(std::string(head.data(), head.size()) + *sections +
                                          std::string(counters.data(), counters.size()));
                         shared = sections;
                       },
                   .unsent_bytes = [this] { return unsent; },
                   .unsent_messages = [this] { return waiting; },
                   .close = [this](CloseCode code, const std::string&) { closed = code; }})
             .value();
    hub.hear(id, "{\"type\": \"hello\", \"protocol\": 1, \"rate\": " + rate + "}");
  }
  FakeViewer(const FakeViewer&) = delete;
  FakeViewer& operator=(const FakeViewer&) = delete;

  int id = 0;
  std::size_t unsent = 0, waiting = 0;
  std::vector<std::string> texts, frames;
  SharedText shared;
  std::optional<CloseCode> closed;
};

class HubTest : public testing::Test {
 protected:
  HubTest()
      : hub({.cache = *Scenes::folder / "cache",
             .work = work.path(),
             .gallery = Scenes::gallery(),
             .pictures = {},
             .own = {},
             .real_time = false}) {
    hub.open_file(Scenes::asset());
  }
  // Ticks while the world moves on between them.
  void tick(int count) {
    for (int i = 0; i < count; ++i) {
      const auto step = hub.scene()->simulation().state().step;
      const Timer timer;
      while (hub.scene()->simulation().state().step == step && timer.seconds() < 10) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        hub.scene()->simulation().fetch();
      }
      hub.tick();
    }
  }

  test::TemporaryFolder work;
  Hub hub;
};

TEST_F(HubTest, ASlowViewerIsSkippedAndCountedAndNobodyWaitsForIt) {
  FakeViewer quick(hub), slow(hub), stuck(hub);
  tick(2);
  EXPECT_EQ(slow.frames.size(), quick.frames.size());
  slow.unsent = (1 << 20) + 1;
  stuck.waiting = 5;
  tick(10);
  EXPECT_EQ(quick.frames.size(), 12U);
  EXPECT_EQ(slow.frames.size(), 2U);
  EXPECT_EQ(stuck.frames.size(), 2U);
  slow.unsent = stuck.waiting = 0;
  tick(1);
  for (const FakeViewer* viewer : {&slow, &stuck}) {
    const auto frame = decode(viewer->frames.back());
    EXPECT_EQ(frame.sequence, 12U) << "what was skipped counts";
    EXPECT_EQ(test::read_at<std::uint32_t>(frame.section(6), 28), 10U);
  }
  EXPECT_EQ(test::read_at<std::uint32_t>(decode(quick.frames.back()).section(6), 28), 0U);
}

TEST_F(HubTest, AViewerThatNeverReadsIsClosed) {
  FakeViewer viewer(hub);
  viewer.unsent = 17 << 20;
  hub.hear(viewer.id, R"({"type": "gravity", "vector": [1, 0, 0]})");
  const Timer timer;
  while (!viewer.closed && timer.seconds() < 10) hub.tick();
  EXPECT_EQ(viewer.closed, CloseCode::policy);
}

TEST_F(HubTest, AFrameIsEncodedOnceForAll) {
  FakeViewer first(hub), second(hub);
  tick(1);
  EXPECT_EQ(first.shared.get(), second.shared.get());
}

TEST_F(HubTest, FramesComeAtTheRateThatWasAskedFor) {
  FakeViewer quick(hub, "60"), calm(hub, "20");
  tick(30);
  EXPECT_EQ(quick.frames.size(), 30U);
  EXPECT_EQ(calm.frames.size(), 10U);
}

TEST_F(HubTest, LeavingEndsTheSteeringAndTheHands) {
  FakeViewer first(hub), second(hub);
  hub.hear(first.id, R"({"type": "force", "slot": 1, "body": 0, "point": 0, "force": [0, 1, 0]})");
  tick(20);
  EXPECT_TRUE(decode(second.frames.back()).sections.contains(3));
  hub.leave(first.id);
  tick(20);
  EXPECT_FALSE(decode(second.frames.back()).sections.contains(3));
  EXPECT_THAT(second.texts.back(), testing::HasSubstr("\"client\":null"));
}

// As far as this machine lets a loop go, which is not asked of it here.
TEST(HubRights, WhatTheLoopMayNotHaveIsToldOnce) {
  bool fifo = false;
  std::thread([&fifo] { fifo = RealTimeScope().fifo(); }).join();
  const test::TemporaryFolder work;
  std::vector<std::string> told;
  Hub hub({.cache = *Scenes::folder / "cache",
           .work = work.path(),
           .gallery = Scenes::gallery(),
           .pictures = {},
           .own = {},
           .on_missing_rights = [&](const std::string& what) { told.push_back(what); }});
  for (int scene = 0; scene < 2; ++scene) {
    hub.open_file(Scenes::asset());
    for (const Timer timer; told.empty() && timer.seconds() < (fifo ? 0.3 : 10);) {
      hub.tick();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (int i = 0; i < 20; ++i) hub.tick();
  }
  if (fifo) return;
  ASSERT_EQ(told.size(), 1U);
  EXPECT_THAT(told[0], testing::HasSubstr("pliant doctor"));
}

// A scene that cannot be opened, and who is told.
TEST(HubFaults, AreToldWithTheBodyThatHasThem) {
  const test::TemporaryFolder work, folder;
  const Scene scene =
      parse_scene(test::beam_scene(test::reduced_engine) +
                      "[body.slow]\n"
                      "rate = 500\n"
                      "mesh = { model = \"cube\", parameters = { size = 0.1 } }\n"
                      "meshing = { kind = \"voxels\", resolution = 10, enlargement = 1 }\n"
                      "material = \"rubber\"\n"
                      "pose = { position = [0, 0, 1] }\n"
                      "fixed = [{ kind = \"plane\", point = [0, -0.049, 0], normal = [0, 1, 0] }]\n"
                      "engine = { kind = \"full\" }\n",
                  "slow.toml", ".");
  Hub hub({.cache = *Scenes::folder / "cache",
           .work = work.path(),
           .gallery = Scenes::gallery(),
           .pictures = {},
           .own = {},
           .real_time = false});
  hub.open_file(test::bake_into(folder, scene));
  FakeViewer viewer(hub);
  const auto late = static_cast<std::uint32_t>(StepStatus::late);
  std::int32_t body = -1;
  const Timer timer;
  while (body < 0 && timer.seconds() < 30) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    hub.tick();
    if (viewer.frames.empty()) continue;
    const std::string counters = decode(viewer.frames.back()).section(6);
    if ((test::read_at<std::uint32_t>(counters, 36) & late) == 0) continue;
    EXPECT_NE(test::read_at<std::uint32_t>(counters, 24) & late, 0U);
    body = test::read_at<std::int32_t>(counters, 32);
  }
  EXPECT_EQ(body, 1) << "a step of 1,331 nodes takes longer than 2 ms";
}

TEST(HubFailures, AreToldAtOnceAndToWhoComesLater) {
  const test::TemporaryFolder work;
  std::vector<std::string> told;
  Hub hub({.cache = *Scenes::folder / "cache",
           .work = work.path(),
           .gallery = Scenes::gallery(),
           .pictures = {},
           .own = {},
           .real_time = false,
           .on_failure = [&](const std::string& what) { told.push_back(what); }});
  hub.open_file(Scenes::gallery() / "broken.toml");
  for (const Timer timer; hub.baking() && timer.seconds() < 60;) {
    hub.tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_THAT(told[0], testing::HasSubstr("broken.toml:1:9: title"));
  FakeViewer late(hub);
  EXPECT_THAT(late.texts, testing::Contains(testing::HasSubstr("\"closed\"")));
  EXPECT_THAT(late.texts, testing::Contains(testing::AllOf(testing::HasSubstr("\"error\""),
                                                           testing::HasSubstr("broken.toml:1"))));
}

TEST(HubMesh, WaitsToBePreparedAndIsTheOnlyFileThatIsServed) {
  const test::TemporaryFolder work;
  Scenes::write("part.obj", "v 0 0 0\n");
  Hub hub({.cache = *Scenes::folder / "cache",
           .work = work.path(),
           .gallery = Scenes::gallery(),
           .pictures = {},
           .own = {},
           .real_time = false,
           .mesh = Scenes::gallery() / "part.obj"});
  FakeViewer viewer(hub);
  EXPECT_THAT(viewer.texts.front(), testing::HasSubstr("\"file\":\"part.obj\""));
  EXPECT_EQ(answer_get(hub, "/api/file", "").body.bytes, "v 0 0 0\n");
  EXPECT_EQ(answer_get(hub, "/api/file/../beam.toml", "").status, 404);
  hub.open_file(Scenes::asset());
  FakeViewer later(hub);
  EXPECT_THAT(later.texts.front(), testing::HasSubstr("\"file\":null"));
}

TEST_F(HubTest, WithoutAMeshThereIsNoFile) {
  EXPECT_EQ(answer_get(hub, "/api/file", "").status, 404);
}

TEST(Access, ReadsTheTargetOfARequest) {
  EXPECT_EQ(path_of("/api/mesh?name=a"), "/api/mesh");
  EXPECT_EQ(query_value("/x?name=a%20b%2fc.obj&token=7", "name"), "a b/c.obj");
  EXPECT_EQ(query_value("/x?name=a&token=7", "token"), "7");
  EXPECT_EQ(query_value("/x?name", "name"), "");
  EXPECT_EQ(query_value("/x?a=%zz%4", "a"), "%zz%4");
  EXPECT_EQ(query_value("/x", "name"), "");
  EXPECT_NE(random_token(), random_token());
}

}  // namespace
}  // namespace pliant::serve
