// SPDX-License-Identifier: MIT
// pliant run SCENE: the scene without a screen. A script of loads in, a recording out.
#include <memory>

#include <fmt/format.h>

#include "command_line.hpp"
#include "describe.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/scene/asset.hpp"
#include "pliant/scene/recording.hpp"
#include "pliant/scene/script.hpp"
#include "pliant/scene/world.hpp"
#include "scene_asset.hpp"
#include "terminal_progress.hpp"

namespace pliant::app {
namespace {

struct Options {
  std::string scene, out, script, cache;
  double duration = 1.0;
  int every = 1;
  bool json = false;
};

std::vector<std::string> names_of(const World& world) {
  std::vector<std::string> names;
  for (const AssetBody& body : world.head().bodies) names.push_back(body.name);
  return names;
}

void run(const Options& options) {
  TerminalProgress progress;
  const TensorFile asset(need_asset(options.scene, options.cache, progress));
  World world(asset);
  const std::vector<TimedCommand> script =
      options.script.empty() ? std::vector<TimedCommand>{} : read_script(options.script, world);
  Recording recording(options.out.empty() ? "run.pliant" : options.out, names_of(world));
  WorldState state = world.make_state();
  const auto steps = static_cast<std::int64_t>(options.duration / world.dt() + 0.5);
  std::size_t next = 0;
  StepStatus status = StepStatus::ok;
  Progress& bar = progress;
  bar.begin("run", steps);
  const Timer timer;
  for (std::int64_t i = 0; i < steps; ++i) {
    // The half step absorbs the rounding of i dt.
    while (next < script.size() &&
           script[next].time < (static_cast<double>(i) + 0.5) * world.dt()) {
      world.apply(script[next++].command);
    }
    status |= world.step();
    if ((i + 1) % options.every == 0) {
      world.state(state);
      recording.add(state);
    }
    if ((i + 1) % 100 == 0 || i + 1 == steps) bar.advance((i % 100) + 1);
  }
  const double seconds = timer.seconds();
  bar.end();
  if (!options.out.empty()) recording.write();
  Json report = {{"steps", steps},
                 {"simulated [s]", static_cast<double>(steps) * world.dt()},
                 {"took [s]", seconds},
                 {"a step [us]", steps > 0 ? 1e6 * seconds / static_cast<double>(steps) : 0.0},
                 {"hash of the motion", fmt::format("{:016x}", recording.hash())}};
  world.state(state);
  report["steps that did not go smoothly"] = [&] {
    std::int64_t sum = 0;
    for (const std::int64_t count : state.status_counts) sum += count;
    return sum;
  }();
  if (!options.out.empty()) report["written to"] = options.out;
  print(report, options.json);
}

}  // namespace

void add_run(CommandLine& line) {
  auto* command =
      line.app.add_subcommand("run", "Simulate a scene without a screen; the same bits every time");
  const auto o = std::make_shared<Options>();
  command->add_option("scene", o->scene, "A scene file, or an asset (.pliant)")->required();
  command->add_option("-o,--out", o->out, "Where to record: .csv, .pliant or .safetensors");
  command->add_option("--duration", o->duration, "Seconds of the scene's time")
      ->check(CLI::Range(0.0, 1e6));
  command->add_option("--script", o->script, "Loads and when they act, CSV");
  command->add_option("--every", o->every, "Record every so many steps")
      ->check(CLI::PositiveNumber);
  command->add_option("--cache", o->cache, "Folder of finished bake steps");
  command->add_flag("--json", o->json, "Report as JSON");
  command->callback([o] { run(*o); });
}

}  // namespace pliant::app
