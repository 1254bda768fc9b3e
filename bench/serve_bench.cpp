// SPDX-License-Identifier: MIT
// What viewers cost: the thread that serves them, and the loop that must not notice them.
#include <atomic>
#include <ctime>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <pthread.h>

#include "bench/bench.hpp"
#include "pliant/bake/bake.hpp"
#include "pliant/base/temporary_folder.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/serve/server.hpp"
#include "tests/serve/client.hpp"

namespace pliant::bench {
namespace {

constexpr double measured_seconds = 5;
constexpr int many_viewers = 8;

constexpr const char* bridge =
    "title = \"Suspension bridge\"\n"
    "[body.bridge]\n"
    "mesh = { model = \"bridge\" }\n"
    "meshing = { kind = \"voxels\", resolution = 128 }\n"
    "engine = { kind = \"reduced\", k = 20, r = 15, damping = { alpha = 0.05, beta = 0.005 } }\n";

// A server of the bridge; its steps come from the user's cache.
class BridgeServer {
 public:
  BridgeServer() {
    const std::filesystem::path asset = folder_ / "bridge.pliant";
    SceneBake(parse_scene(bridge, "bridge.toml", "."))
        .bake(StepCache(StepCache::default_folder()), asset);
    server_ = std::make_unique<serve::Server>(
        serve::ServerOptions{.host = {},
                             .hub = {.cache = StepCache::default_folder(),
                                     .work = folder_.path(),
                                     .gallery = {},
                                     .pictures = {},
                                     .own = {}}});
    server_->hub().open_file(asset);
    thread_ = std::thread([this] { server_->run(); });
  }
  ~BridgeServer() {
    server_->stop();
    thread_.join();
    server_.reset();
  }
  std::uint16_t port() const { return server_->port(); }
  const PacedLoop& loop() { return server_->hub().scene()->simulation().loop(); }
  // CPU time of the thread that serves [s].
  double cpu_seconds() {
    clockid_t clock;
    timespec t{};
    pthread_getcpuclockid(thread_.native_handle(), &clock);
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }

 private:
  TemporaryFolder folder_{"pliant-bench"};
  std::unique_ptr<serve::Server> server_;
  std::thread thread_;
};

// Viewers that take all that they are sent, in a thread of their own.
class Viewers {
 public:
  Viewers(std::uint16_t port, int count) {
    for (int i = 0; i < count; ++i) {
      sockets_.push_back(std::make_unique<test::WebSocketClient>(port));
      sockets_.back()->send({{"type", "hello"}, {"protocol", 1}, {"rate", 60}});
    }
    thread_ = std::thread([this] {
      while (!ended_) {
        for (auto& socket : sockets_) bytes_ += socket->socket().receive(0.002).size();
      }
    });
  }
  ~Viewers() {
    ended_ = true;
    thread_.join();
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<std::unique_ptr<test::WebSocketClient>> sockets_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

void wait(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

struct Streaming {
  double cpu = 0, kilobytes = 0;         // % of a core; a second, of one viewer
  double p50 = 0, p99 = 0, largest = 0;  // of the cycles' work [us]
  double wake_up = 0;                    // p99 [us]
};

Streaming stream(int viewers) {
  BridgeServer server;
  const Viewers watching(server.port(), viewers);
  wait(1);  // the scene's message, which is long, has been sent
  const double cpu = server.cpu_seconds();
  const auto bytes = static_cast<double>(watching.bytes());
  const Timer timer;
  wait(measured_seconds);
  const double seconds = timer.seconds();
  const PacedLoop& loop = server.loop();
  return {100 * (server.cpu_seconds() - cpu) / seconds,
          viewers > 0 ? (static_cast<double>(watching.bytes()) - bytes) / seconds / 1000 / viewers
                      : 0.0,
          1e-3 * static_cast<double>(loop.work().quantile(0.5)),
          1e-3 * static_cast<double>(loop.work().quantile(0.99)),
          1e-3 * static_cast<double>(loop.work().max()),
          1e-3 * static_cast<double>(loop.wake_up().quantile(0.99))};
}

Result loop_with_viewers(double Streaming::*figure) {
  const Streaming alone = stream(0), watched = stream(many_viewers);
  return {
      .value = watched.*figure,
      .reference_value = alone.*figure,
      .detail = fmt::format("{} viewers; p50 {:.1f} and {:.1f} us alone, wake-up p99 {:.0f} and "
                            "{:.0f} us, longest work {:.0f} and {:.0f} us",
                            many_viewers, watched.p50, alone.p50, watched.wake_up, alone.wake_up,
                            watched.largest, alone.largest)};
}

const Rows rows{
    {.name = "serve.stream.bridge",
     .unit = "% of a core",
     .target = {.at_most = 3},
     .slow = true,
     .run =
         [] {
           const Streaming s = stream(1);
           return Result{.value = s.cpu,
                         .detail = fmt::format("one viewer at 60 Hz, {:.1f} kB/s", s.kilobytes)};
         }},
    {.name = "serve.bytes.bridge",
     .unit = "kB/s",
     .target = {.at_most = 200},
     .slow = true,
     .run = [] { return Result{.value = stream(1).kilobytes, .detail = "one viewer at 60 Hz"}; }},
    {.name = "serve.loop.viewers8",
     .unit = "us",
     .reference = "p99 of the work of a cycle without viewers",
     .slow = true,
     .run = [] { return loop_with_viewers(&Streaming::p99); }},
};

}  // namespace
}  // namespace pliant::bench
