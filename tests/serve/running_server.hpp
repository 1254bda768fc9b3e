// SPDX-License-Identifier: MIT
// A server in a thread, with a few scenes of a small beam, and viewers of it.
#pragma once

#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "client.hpp"
#include "frames.hpp"
#include "pliant/base/file.hpp"
#include "pliant/serve/server.hpp"
#include "support/beam_scene.hpp"

namespace pliant::test {

using serve::Server;
using Json = nlohmann::json;

// One folder with two scenes, a picture and finished bake steps for all tests.
class Scenes : public testing::Environment {
 public:
  void SetUp() override {
    folder = std::make_unique<TemporaryFolder>();
    std::filesystem::create_directory(gallery());
    const std::string text = "title = \"Beam\"\ndescription = \"It bends.\"\n";
    write("beam.toml", text + beam_scene(reduced_engine));
    write("full.toml", text + beam_scene("{ kind = \"full\" }"));
    write("broken.toml", "title = 3\n");
    write("beam.png", "not really a picture");
    SceneBake(read_scene(gallery() / "beam.toml"))
        .bake(StepCache(*folder / "cache"), *folder / "beam.pliant");
  }
  void TearDown() override { folder.reset(); }

  static void write(const std::string& name, const std::string& text) {
    AtomicFile file(gallery() / name);
    file.write(text);
    file.commit();
  }
  static std::filesystem::path gallery() { return *folder / "scenes"; }
  static std::filesystem::path asset() { return *folder / "beam.pliant"; }
  static inline std::unique_ptr<TemporaryFolder> folder;
};

class RunningServer {
 public:
  explicit RunningServer(const std::filesystem::path& open = Scenes::asset(),
                         std::optional<std::string> host = {},
                         const serve::ReaderLimits& limits = {},
                         const std::filesystem::path& own = {})
      : server_({.host = std::move(host),
                 .hub = {.cache = *Scenes::folder / "cache",
                         .work = work_.path(),
                         .gallery = Scenes::gallery(),
                         .pictures = {},
                         .own = own,
                         .reader = "/proc/self/exe",
                         .reader_limits = limits,
                         .real_time = false}}) {
    if (!open.empty()) server_.hub().open_file(open);
    thread_ = std::thread([this] { server_.run(); });
  }
  ~RunningServer() {
    server_.stop();
    thread_.join();
  }
  Server* operator->() { return &server_; }
  std::uint16_t port() const { return server_.port(); }

 private:
  TemporaryFolder work_;
  Server server_;
  std::thread thread_;
};

inline const Json hello = {{"type", "hello"}, {"protocol", 1}, {"rate", 60}};

// A viewer that has said hello; `scene` and `settings` are what it was told.
struct Watcher {
  explicit Watcher(RunningServer& server) : socket(server.port()) {
    EXPECT_TRUE(socket.open()) << socket.head();
    told = socket.text("hello");
    scene = socket.text("scene");
    settings = socket.text("settings");
    socket.send(hello);
    steering = socket.text("steering");
  }
  // Frames until one of them fulfils the condition.
  DecodedFrame frame_where(const std::function<bool(const DecodedFrame&)>& condition) {
    const Timer timer;
    while (timer.seconds() < patience) {
      DecodedFrame frame = decode(socket.frame());
      if (condition(frame)) return frame;
    }
    ADD_FAILURE() << "no such frame";
    return {};
  }

  WebSocketClient socket;
  Json told, scene, settings, steering;
};

}  // namespace pliant::test
