// SPDX-License-Identifier: MIT
// pliant play SCENE: bake it if needed, simulate it in real time, and show it in the browser. Of a
// mesh, the page asks what it is to become.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>

#include "command_line.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/temporary_folder.hpp"
#include "pliant/serve/server.hpp"
#include "scene_asset.hpp"

extern char** environ;

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

struct PlayOptions {
  std::string scene, host, cache, meshes, record;
  int port = 8765;
  int cpu = -1;
  bool no_browser = false;
};

// xdg-open returns when the browser has been told; whether there is one is not our affair.
void open_browser(const std::string& url) {
  std::string command = "xdg-open", address = url;
  char* arguments[] = {command.data(), address.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {1, 2}) {
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", 1 /*O_WRONLY*/, 0);
  }
  pid_t child = 0;
  if (posix_spawnp(&child, "xdg-open", &actions, nullptr, arguments, environ) != 0) {
    fmt::print("xdg-open is not there: open the address yourself\n");
  }
  posix_spawn_file_actions_destroy(&actions);
}

// Beside examples/ of a source tree.
fs::path pictures_for(const fs::path& folder) {
  const fs::path pictures = folder / ".." / "docs" / "figures";
  return fs::is_directory(pictures) ? pictures : fs::path();
}

// Of the user's data, as the XDG base directory specification says; empty: there is none.
fs::path meshes_folder(const std::string& given) {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (!given.empty()) return fs::absolute(given);
  const fs::path data = variable("XDG_DATA_HOME"), home = variable("HOME");
  if (data.is_absolute()) return data / "pliant" / "meshes";
  return home.empty() ? fs::path() : home / ".local" / "share" / "pliant" / "meshes";
}

// A mesh that the page can prepare. Throws Error for one that it cannot.
bool is_mesh(const fs::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".toml" || ending == ".pliant") return false;
  const std::vector<std::string> formats = serve::upload_formats();
  std::string lower = ending.empty() ? ending : ending.substr(1);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (std::ranges::find(formats, lower) == formats.end()) {
    throw Error({path.string(), 0, ""}, "neither a scene, an asset nor a mesh that can be prepared",
                ending, fmt::format(".toml, .pliant or one of {}", fmt::join(formats, ", ")));
  }
  if (const auto size = fs::file_size(path); size > serve::largest_upload) {
    throw Error({path.string(), 0, ""}, "a mesh that is too large to be prepared in the page",
                fmt::format("{} bytes", size),
                fmt::format("at most {}; or a scene file that names it", serve::largest_upload));
  }
  return true;
}

void run_play(const PlayOptions& options) {
  const fs::path scene = options.scene;
  if (!fs::is_regular_file(scene)) throw Error({options.scene, 0, ""}, "there is no such file");
  const bool mesh = is_mesh(scene);
  const fs::path folder = fs::absolute(scene).parent_path();
  constexpr const char* folders = "pliant-play";
  sweep_temporary_folders(folders);  // what killed ones have left
  const TemporaryFolder work(folders);
  serve::ServerOptions server_options{
      .host = options.host.empty() ? std::nullopt : std::optional(options.host),
      .port = static_cast<std::uint16_t>(options.port),
      .end_on_signals = true,
      .hub = {
          .cache = cache_folder(options.cache),
          .work = work.path(),
          .gallery = folder,
          .pictures = pictures_for(folder),
          .own = meshes_folder(options.meshes),
          .reader = "/proc/self/exe",
          .cpu = options.cpu,
          .mesh = mesh ? scene : fs::path(),
          .record = options.record,
          .on_failure = [](const std::string& what) { fmt::print(stderr, "pliant: {}\n", what); },
          .on_missing_rights =
              [](const std::string& what) {
                fmt::print("{}\n", what);
                std::fflush(stdout);
              }}};
  serve::Server server(std::move(server_options));
  if (!mesh) server.hub().open_file(scene);
  fmt::print("{}\n", server.url());
  if (!server.token().empty()) {
    fmt::print("whoever has this address can see and steer the scene\n");
    if (options.host == "0.0.0.0" || options.host == "::") {
      fmt::print(
          "from another machine: the same with this machine's address in place of "
          "127.0.0.1\n");
    }
  }
  fmt::print("Ctrl-C ends it\n");
  std::fflush(stdout);
  if (!options.no_browser) open_browser(server.url());
  server.run();
}

}  // namespace

void add_play(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "play", "Bake a scene if needed, simulate it in real time, show it in the browser");
  const auto o = std::make_shared<PlayOptions>();
  command
      ->add_option("scene", o->scene,
                   "A scene file, an asset (.pliant), or a mesh to prepare in the page")
      ->required();
  command->add_option("--port", o->port, "0: any that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--host", o->host,
                      "Address to listen on, for other machines (then a token is needed); "
                      "default: this machine only");
  command->add_option("--cpu", o->cpu, "The only processor that the loop runs on, from 0")
      ->check(CLI::Range(0, static_cast<int>(std::thread::hardware_concurrency()) - 1));
  command->add_flag("--no-browser", o->no_browser, "Only print the address");
  command->add_option("--cache", o->cache, "Folder of finished bake steps");
  command->add_option("--meshes", o->meshes,
                      "Folder that keeps the scenes of meshes dropped on the page; default: "
                      "~/.local/share/pliant/meshes");
  command->add_option("--record", o->record,
                      "Record every cycle's input, forces and counters to this file; `run "
                      "--replay` does the same again");
  command->callback([o] { run_play(*o); });
}

}  // namespace pliant::app
