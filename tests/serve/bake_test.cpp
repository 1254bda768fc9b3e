// SPDX-License-Identifier: MIT
// Bakes that viewers ask for: scenes of the gallery, dropped meshes, sketches.
#include <algorithm>
#include <thread>

#include <gmock/gmock.h>

#include "bakes.hpp"
#include "client.hpp"
#include "frames.hpp"
#include "pliant/serve/server.hpp"
#include "running_server.hpp"

namespace pliant::serve {
namespace {

using test::bake_message;
using test::BakeStory;
using test::box_obj;
using test::decode;
using test::follow;
using test::http_raw;
using test::HttpAnswer;
using test::RunningServer;
using test::Scenes;
using test::upload;
using test::wait_for_the_rate;
using test::Watcher;
using Json = nlohmann::json;

TEST(Bakes, OpenASceneOfTheGallery) {
  RunningServer server;
  Watcher watcher(server);
  watcher.socket.send({{"type", "open"}, {"scene", "full"}});
  const BakeStory story = follow(watcher);
  EXPECT_EQ(story.scene["id"], "full");
  EXPECT_GT(story.scene["epoch"], watcher.scene["epoch"]);
  EXPECT_EQ(story.scene["bodies"][0]["engine"], "full");
  EXPECT_EQ(story.scene["bodies"][0]["r"], 0);
  EXPECT_EQ(story.scene["bodies"][0]["facts"]["measured"], false);
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
  std::filesystem::remove(Scenes::gallery() / "unmeasured.toml");
  ASSERT_TRUE(story.error.is_null()) << story.error;
  EXPECT_GT(story.scene["bodies"][0]["quality"]["mean"], 0);
  EXPECT_EQ(story.scene["id"], "unmeasured");
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
  // The sketch can be saved, with a scene that names it.
  ASSERT_EQ(story.scene["files"].size(), 1U);
  const std::string file = story.scene["files"][0];
  EXPECT_GT(test::http_get(server.port(), "/api/file/" + file).body.size(), 100U);
  EXPECT_THAT(test::http_get(server.port(), "/api/scene.toml").body,
              testing::HasSubstr("basis_file = \"" + file + "\""));
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

TEST(Bakes, ANameMayBeAnyText) {
  RunningServer server;
  Watcher watcher(server);
  Json wish = bake_message(upload(server, "box.obj", box_obj()).json(),
                           {{"boxes", Json::array()}, {"points", {1, 3, 5, 7}}}, "full");
  wish["name"] = "\xF0\x9F\xA6\x8A \"fox\" \\ [a]\n# b";
  watcher.socket.send(wish);
  const BakeStory story = follow(watcher);
  ASSERT_TRUE(story.error.is_null()) << story.error;
  EXPECT_EQ(story.scene["title"], wish["name"]);
  EXPECT_EQ(story.progress.back()["title"], wish["name"]);
}

// A step of this body is cut into thousands of parts and takes seconds.
TEST(Bakes, NobodyWaitsForTheLongStepOfASceneThatIsClosed) {
  std::string text =
      test::beam_scene("{ kind = \"full\", integrator = { kind = \"explicit\" } }", 3e5);
  text.replace(text.find("resolution = 10"), 15, "resolution = 48");
  Scenes::write("slow.toml", "rate = 1\n" + text);
  RunningServer server;
  Watcher watcher(server);
  watcher.socket.send({{"type", "open"}, {"scene", "slow"}});
  const BakeStory slow = follow(watcher);
  std::filesystem::remove(Scenes::gallery() / "slow.toml");
  ASSERT_TRUE(slow.error.is_null()) << slow.error;
  watcher.frame_where([](const auto& f) { return f.step > 0; });
  const Timer step;
  watcher.frame_where([](const auto& f) { return f.step > 1; });
  const double seconds = step.seconds();
  ASSERT_GT(seconds, 1);
  watcher.socket.send({{"type", "open"}, {"scene", "beam"}});  // the next step is under way
  const Timer timer;
  double longest = 0;
  for (int i = 0; i < 10; ++i) {
    const Timer answer;
    EXPECT_EQ(test::http_get(server.port(), "/api/scenes").status, 200);
    longest = std::max(longest, answer.seconds());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_LT(longest, 0.5 * seconds) << "while the scene is closed that is in the midst of a step";
  const BakeStory story = follow(watcher);
  EXPECT_EQ(story.scene["id"], "beam");
  watcher.frame_where([](const auto& f) { return f.step > 20; });
  EXPECT_LT(timer.seconds(), seconds) << "less than a step";
}

// ---- uploads are read by another process

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::recursive_directory_iterator(folder), {}));
}

TEST(Uploads, AReaderThatCrashesOrHangsIsAClearError) {
  RunningServer server(Scenes::asset(), {}, {.seconds = 1});
  const HttpAnswer crash = upload(server, "crash.obj", box_obj());
  EXPECT_EQ(crash.status, 422);
  EXPECT_EQ(crash.json()["code"], "mesh");
  EXPECT_EQ(crash.json()["message"], "crash.obj: its reader broke off (signal 6)");
  EXPECT_EQ(crash.json()["advice"], "Export the mesh again, or in another format.");
  const HttpAnswer sleep = upload(server, "sleep.obj", box_obj());
  EXPECT_EQ(sleep.status, 422);
  EXPECT_EQ(sleep.json()["message"], "sleep.obj: it takes more than 1 s to read");
  EXPECT_EQ(upload(server, "box.obj", box_obj()).status, 200);
  EXPECT_EQ(files_in(server->hub().options().work), 0U) << "nothing is left of them";
}

TEST(Uploads, AFileThatNeedsTooMuchMemoryIsAClearError) {
  if (ReaderLimits::default_memory == 0) GTEST_SKIP() << "a sanitizer needs all addresses";
  RunningServer server(Scenes::asset(), {}, {.memory = std::uint64_t{400} << 20});
  std::string text;
  for (int i = 0; i < 7'000'000; ++i) text += "v 1 2 3\n";
  const HttpAnswer answer = upload(server, "large.obj", text);
  EXPECT_EQ(answer.status, 422);
  EXPECT_EQ(answer.json()["message"], "large.obj: it takes more than 400 MiB of memory to read");
  EXPECT_EQ(upload(server, "box.obj", box_obj()).status, 200);
}

TEST(Uploads, WhatCannotBeStoredIsNoFaultOfTheFile) {
  RunningServer server(Scenes::asset(), {}, {.file = 100});
  const HttpAnswer small = upload(server, "box.obj", box_obj());
  EXPECT_EQ(small.status, 507);
  std::filesystem::remove_all(server->hub().options().work);
  Scenes::write("no_folder", "");
  std::filesystem::rename(Scenes::gallery() / "no_folder", server->hub().options().work);
  const HttpAnswer answer = upload(server, "box.obj", box_obj());
  EXPECT_EQ(answer.status, 507);
  EXPECT_EQ(answer.json()["code"], "disk");
  EXPECT_EQ(answer.json()["message"], "The server cannot store the file: Not a directory.");
  EXPECT_THAT(answer.json()["advice"].get<std::string>(), testing::StartsWith("Make room"));
  EXPECT_THAT(answer.body, testing::Not(testing::HasSubstr("upload0")));
  std::filesystem::remove(server->hub().options().work);
}

TEST(Uploads, ALargeOneIsReadToItsEndAndRefused) {
  RunningServer server;
  const std::string bytes((std::size_t{65} << 20), 'x');
  test::Socket socket(server.port());
  EXPECT_TRUE(
      socket.send("POST /api/mesh?name=a.obj HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                  std::to_string(bytes.size()) + "\r\n\r\n" + bytes))
      << "the client can send all of it";
  std::string answer;
  while (!socket.ended()) answer += socket.receive(20);
  EXPECT_THAT(answer, testing::StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(answer, testing::HasSubstr("At most 64 MiB"));
}

}  // namespace
}  // namespace pliant::serve
