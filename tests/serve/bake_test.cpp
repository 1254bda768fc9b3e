// SPDX-License-Identifier: MIT
// Bakes that viewers ask for: scenes of the gallery, dropped meshes, sketches.
#include <thread>

#include <gmock/gmock.h>

#include "client.hpp"
#include "frames.hpp"
#include "pliant/serve/server.hpp"
#include "running_server.hpp"

namespace pliant::serve {
namespace {

using test::decode;
using test::http_raw;
using test::HttpAnswer;
using test::RunningServer;
using test::Scenes;
using test::Watcher;
using Json = nlohmann::json;

// A box of 0.2 x 0.1 x 0.1, in centimetres.
std::string box_obj() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += "v " + std::to_string(i & 1 ? 20 : 0) + " " + std::to_string(i & 2 ? 10 : 0) + " " +
            std::to_string(i & 4 ? 10 : 0) + "\n";
  }
  for (const char* quad : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"}) {
    text += std::string("f ") + quad + "\n";
  }
  return text;
}

HttpAnswer upload(RunningServer& server, const std::string& name, const std::string& bytes) {
  return http_raw(server.port(), "POST /api/mesh?name=" + name +
                                     " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                     "Content-Length: " +
                                     std::to_string(bytes.size()) + "\r\n\r\n" + bytes);
}

Json bake_message(const Json& mesh, const Json& fixed, const std::string& engine = "reduced") {
  return {
      {"type", "bake"},
      {"mesh", mesh["mesh"]},
      {"name", "box \"7\""},
      {"metres_per_unit", 0.01},
      {"resolution", 6},
      {"engine", engine},
      {"material",
       {{"name", "rubber"}, {"law", "stvk"}, {"young", 5e6}, {"poisson", 0.4}, {"density", 1100}}},
      {"fixed", fixed}};
}

// Messages of a bake until its end, and the scene or the error after it.
struct BakeStory {
  std::vector<Json> progress;
  Json scene, error;
};
BakeStory follow(Watcher& watcher) {
  BakeStory story;
  const Timer timer;
  while (timer.seconds() < 120) {
    const auto message = watcher.socket.next(120);
    if (!message || message->opcode == 8) break;
    if (message->opcode != 1) continue;
    const Json json = message->json();
    if (json["type"] == "bake") story.progress.push_back(json);
    if (json["type"] == "scene") {
      story.scene = json;
      return story;
    }
    if (json["type"] == "error") {
      story.error = json;
      return story;
    }
    if (json["type"] == "bake" && json["state"] == "cancelled") return story;
  }
  ADD_FAILURE() << "the bake has no end";
  return story;
}

// Two messages that begin a bake are allowed in a second.
void wait_for_the_rate() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
}

TEST(Bakes, OpenASceneOfTheGallery) {
  RunningServer server;
  Watcher watcher(server);
  watcher.socket.send({{"type", "open"}, {"scene", "full"}});
  const BakeStory story = follow(watcher);
  EXPECT_EQ(story.scene["id"], "full");
  EXPECT_GT(story.scene["epoch"], watcher.scene["epoch"]);
  EXPECT_EQ(story.scene["bodies"][0]["engine"], "full");
  EXPECT_EQ(story.scene["bodies"][0]["r"], 0);
  EXPECT_FALSE(story.scene["steps"].empty());
  EXPECT_EQ(watcher.socket.text("settings")["epoch"], story.scene["epoch"]);
  const auto frame = watcher.frame_where(
      [&](const auto& f) { return f.epoch == story.scene["epoch"].template get<unsigned>(); });
  EXPECT_EQ(test::read_at<std::uint32_t>(frame.section(2), 4),
            story.scene["bodies"][0]["points"].get<std::uint32_t>());
}

TEST(Bakes, ABrokenSceneIsAnErrorAndTheOldOneGoesOn) {
  RunningServer server;
  Watcher watcher(server);
  watcher.socket.send({{"type", "open"}, {"scene", "broken"}});
  const BakeStory story = follow(watcher);
  EXPECT_EQ(story.error["code"], "bake");
  EXPECT_THAT(story.error["message"].get<std::string>(), testing::HasSubstr("broken.toml"));
  const auto step = decode(watcher.socket.frame()).step;
  watcher.frame_where([&](const auto& f) { return f.step > step + 20; });
}

TEST(Bakes, MeasureHowGoodTheOpenSceneIs) {
  std::string text = test::beam_scene(test::reduced_engine);
  text.replace(text.find("k = 5, r = 8"), 12, "k = 4, r = 4");
  Scenes::write("unmeasured.toml", text);
  RunningServer server;
  Watcher watcher(server);
  // A ready asset has no scene to be measured by.
  watcher.socket.send({{"type", "measure"}});
  EXPECT_EQ(follow(watcher).error["code"], "refused");
  watcher.socket.send({{"type", "open"}, {"scene", "unmeasured"}});
  EXPECT_EQ(follow(watcher).scene["bodies"][0]["quality"], nullptr);
  wait_for_the_rate();
  watcher.socket.send({{"type", "measure"}});
  const BakeStory story = follow(watcher);
  ASSERT_TRUE(story.error.is_null()) << story.error;
  EXPECT_GT(story.scene["bodies"][0]["quality"]["mean"], 0);
  EXPECT_EQ(story.scene["id"], "unmeasured");
  // The bar is that of what was left to do: it did not begin at its end.
  ASSERT_FALSE(story.progress.empty());
  EXPECT_LT(story.progress.front()["fraction"], 0.9);
}

TEST(Bakes, ADroppedMeshBecomesABody) {
  RunningServer server;
  Watcher watcher(server);
  const HttpAnswer answer = upload(server, "box.obj", box_obj());
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json mesh = answer.json();
  EXPECT_EQ(mesh["points"], 8);
  EXPECT_EQ(mesh["triangles"], 12);
  EXPECT_EQ(mesh["to"], Json({20, 10, 10}));
  const HttpAnswer asset = test::http_get(server.port(), mesh["asset"].get<std::string>());
  EXPECT_EQ(asset.status, 200);
  const std::string bytes = asset.body;
  EXPECT_THAT(bytes, testing::HasSubstr("mesh/shape/N"));

  // Held in a box at its left end.
  watcher.socket.send(bake_message(
      mesh, {{"boxes", {{{"from", {0, 0, 0}}, {"to", {1, 10, 10}}}}}, {"points", Json::array()}}));
  const BakeStory story = follow(watcher);
  ASSERT_TRUE(story.error.is_null()) << story.error;
  EXPECT_EQ(story.scene["title"], "box \"7\"");
  EXPECT_EQ(story.scene["id"], nullptr);
  ASSERT_FALSE(story.progress.empty());
  EXPECT_EQ(story.progress.back()["state"], "done");
  EXPECT_EQ(story.progress.back()["fraction"], 1);
  for (const Json& step : story.progress.back()["steps"]) EXPECT_EQ(step["fraction"], 1);
  const Json& body = story.scene["bodies"][0];
  EXPECT_FALSE(body["free"].get<bool>());
  EXPECT_TRUE(body["edits"]["sketch"].get<bool>());
  EXPECT_NEAR(body["regions"][0]["density"].get<double>(), 1100, 1e-9);

  // Held at painted points: those of its other end.
  watcher.socket.send(
      bake_message(mesh, {{"boxes", Json::array()}, {"points", {1, 3, 5, 7}}}, "full"));
  const BakeStory painted = follow(watcher);
  ASSERT_TRUE(painted.error.is_null()) << painted.error;
  EXPECT_FALSE(painted.scene["bodies"][0]["free"].get<bool>());
}

TEST(Bakes, WhatIsNoMeshIsRefused) {
  RunningServer server;
  const HttpAnswer broken = upload(server, "box.obj", "v 1 2\n");
  EXPECT_EQ(broken.status, 422);
  EXPECT_EQ(broken.json()["code"], "mesh");
  EXPECT_THAT(broken.json()["message"].get<std::string>(), testing::StartsWith("box.obj:1"));
  EXPECT_EQ(upload(server, "box.exe", box_obj()).status, 422);
  EXPECT_EQ(upload(server, "..%2f..%2fx.obj", box_obj()).status, 200) << "its name names no place";
  const HttpAnswer large = http_raw(
      server.port(),
      "POST /api/mesh?name=a.obj HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n");
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(large.json()["code"], "size");
  for (int i = 0; i < 3; ++i) upload(server, "box.obj", box_obj());
  EXPECT_EQ(upload(server, "box.obj", box_obj()).status, 429);
  Watcher watcher(server);
  watcher.socket.send(
      bake_message({{"mesh", "0123"}}, {{"boxes", Json::array()}, {"points", Json::array()}}));
  EXPECT_EQ(watcher.socket.text("error")["code"], "absent");
}

TEST(Bakes, ASketchMakesANewBasisAndKeepsWhatWasChanged) {
  RunningServer server(Scenes::gallery() / "beam.toml");
  test::WebSocketClient waiting(server.port());
  waiting.text("scene", 60);
  Watcher watcher(server);
  watcher.socket.send({{"type", "gravity"}, {"vector", {0, -1, 0}}});
  int tip = 0;
  {
    const TensorFile asset(Scenes::asset());
    const auto X = asset.matrix<float>("beam/shape/X", 3);
    X.row(0).maxCoeff(&tip);
  }
  Json forces = Json::array();
  for (int i = 1; i <= 8; ++i) forces.push_back({0, -2.0 * i, 0.7 * i});
  Json others = Json::array();
  for (int i = 1; i <= 8; ++i) others.push_back({0.5 * i, 0, 2.0 * i});
  watcher.socket.send(
      {{"type", "sketch"},
       {"body", 0},
       {"r", 4},
       {"strokes", {{{"point", tip}, {"forces", forces}}, {{"point", tip}, {"forces", others}}}}});
  const BakeStory story = follow(watcher);
  ASSERT_TRUE(story.error.is_null()) << story.error;
  EXPECT_EQ(story.scene["id"], "beam");
  EXPECT_EQ(story.scene["bodies"][0]["r"], 4);
  EXPECT_TRUE(std::any_of(story.progress.begin(), story.progress.end(), [](const Json& bake) {
    return std::any_of(bake["steps"].begin(), bake["steps"].end(),
                       [](const Json& step) { return step["name"] == "beam: sketched basis"; });
  }));
  const Timer timer;
  while (watcher.socket.text("settings")["gravity"][1] != -1) ASSERT_LT(timer.seconds(), 20);
  watcher.frame_where([](const auto& f) { return test::coefficients(f.section(1)).size() == 4; });

  watcher.socket.send({{"type", "sketch"},
                       {"body", 0},
                       {"r", 4},
                       {"strokes", {{{"point", 1 << 30}, {"forces", forces}}}}});
  EXPECT_EQ(follow(watcher).error["code"], "bake");
  wait_for_the_rate();
  // Fewer shapes than were asked for: as many as the sketch spans.
  watcher.socket.send({{"type", "sketch"},
                       {"body", 0},
                       {"r", 40},
                       {"strokes", {{{"point", tip}, {"forces", forces}}}}});
  const BakeStory small = follow(watcher);
  ASSERT_TRUE(small.error.is_null()) << small.error;
  EXPECT_LE(small.scene["bodies"][0]["r"], 8);
  wait_for_the_rate();
  watcher.socket.send({{"type", "sketch"}, {"body", 1}, {"r", 4}, {"strokes", Json::array()}});
  EXPECT_EQ(watcher.socket.text("error")["code"], "refused");
}

TEST(Bakes, OneAtATimeAndItCanBeCancelled) {
  RunningServer server;
  Watcher watcher(server);
  // A finer body than any test has baked, so that nothing of it is in the cache.
  Json wish = bake_message(
      upload(server, "box.obj", box_obj()).json(),
      {{"boxes", {{{"from", {0, 0, 0}}, {"to", {1, 10, 10}}}}}, {"points", Json::array()}});
  wish["resolution"] = 40;
  watcher.socket.send(wish);
  const Json running = watcher.socket.text("bake");
  EXPECT_EQ(running["state"], "running");
  watcher.socket.send({{"type", "open"}, {"scene", "beam"}});
  const Json busy = watcher.socket.text("error");
  EXPECT_EQ(busy["code"], "bake");
  EXPECT_EQ(busy["about"], "open");
  watcher.socket.send({{"type", "cancel"}, {"job", running["job"]}});
  Json last;
  do {
    last = watcher.socket.text("bake", 60);
  } while (last["state"] == "running");
  EXPECT_EQ(last["state"], "cancelled");
  wait_for_the_rate();
  watcher.socket.send({{"type", "open"}, {"scene", "beam"}});
  EXPECT_EQ(follow(watcher).scene["id"], "beam");
}

}  // namespace
}  // namespace pliant::serve
