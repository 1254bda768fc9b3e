// SPDX-License-Identifier: MIT
// pliant bake SCENE: precompute all that a scene needs in real time, and write it to one asset.
#include "pliant/bake/bake.hpp"

#include <memory>

#include <fmt/format.h>

#include "command_line.hpp"
#include "describe.hpp"
#include "describe_asset.hpp"
#include "pliant/asset/never_meet.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/length_unit.hpp"
#include "pliant/scene/read_scene.hpp"
#include "scene_asset.hpp"
#include "terminal_progress.hpp"

namespace pliant::app {
namespace {

struct BakeOptions {
  std::string scene, out, cache;
  double tolerance = 0.0;
  bool explain = false, json = false;
};

Json describe_steps(const BakeStepReport& step) {
  Json json = {{"key", step.key}, {"in the cache", step.cached}};
  if (step.cached || step.bytes > 0) {
    json["seconds"] = step.seconds;
    json["bytes"] = step.bytes;
  }
  return json;
}

Json describe_steps(const std::vector<BakeStepReport>& steps) {
  Json json = Json::object();
  for (const BakeStepReport& step : steps) {
    json[step.name] = describe_steps(step);
    Json needs = Json::array();
    for (const std::size_t n : step.needs) needs.push_back(steps[n].name);
    if (!needs.empty()) json[step.name]["needs"] = needs;
  }
  return json;
}

// A line a step, as a tree would be too wide.
void print_steps(const std::vector<BakeStepReport>& steps) {
  for (const BakeStepReport& step : steps) {
    std::string needs;
    for (const std::size_t n : step.needs) needs += (needs.empty() ? "" : ", ") + steps[n].name;
    const bool known = step.cached || step.bytes > 0;
    fmt::print(
        "{:<28} {:>9} {:>10}  {}{}\n", step.name,
        known ? fmt::format("{:.2f} s", step.seconds) : std::string("-"),
        known ? fmt::format("{:.1f} MB", static_cast<double>(step.bytes) / 1e6) : std::string("-"),
        step.cached ? "in the cache"
        : known     ? "made"
                    : "to be made",
        needs.empty() ? "" : ", from " + needs);
  }
}

void explain(const SceneBake& bake, const StepCache& cache, bool json) {
  const std::vector<BakeStepReport> steps = bake.plan(cache);
  if (json) {
    print({{"cache", cache.folder().string()}, {"steps", describe_steps(steps)}}, true);
    return;
  }
  fmt::print("cache: {}\n", cache.folder().string());
  print_steps(steps);
}

// Of a body from a file, whose unit nobody checks; empty: none.
std::string size_words(const BodySpec& body, const TensorFile& file) {
  if (body.mesh.file.empty()) return {};
  const auto X = file.matrix<float>(body.name + "/shape/X", 3);
  return size_doubt(longest_side(bounds(X.cast<double>())),
                    body.mesh.metres_per_unit * body.mesh.scale);
}

// Of a body whose steps would hold up the scene, or come late beside it; empty: they do not.
std::string rate_words(const BodySpec& body, const TensorFile& file, double scene_rate) {
  const auto cost = step_cost(body.engine);
  if (!cost) return {};
  const double seconds = cost->of(static_cast<double>(file.at(body.name + "/volume/V").shape[0]));
  const double rate = body.rate.value_or(scene_rate), held = rate_held(seconds, scene_rate);
  constexpr double rounding = 1e-6;  // of a rate that was written down
  if (rate <= (1 + rounding) * held) return {};
  return fmt::format("a step takes about {:.2g} s: too long for {:g} Hz; rate = {:.9g} is held",
                     seconds, rate, held);
}

// What a user should know of the bodies, in sentences.
Json doubts_of(const Scene& scene, const AssetHead& head, const std::filesystem::path& asset) {
  Json doubts = Json::object();
  for (const NeverMeet& pair : pairs_that_never_meet(head)) {
    doubts[pair.first].push_back(words_of(pair));
  }
  if (!std::filesystem::is_regular_file(asset)) return doubts;  // but, say, a pipe
  const TensorFile file(asset);
  for (const BodySpec& body : scene.bodies) {
    for (const std::string& words : {size_words(body, file), rate_words(body, file, scene.rate)}) {
      if (!words.empty()) doubts[body.name].push_back(words);
    }
  }
  return doubts;
}

void run_bake(const BakeOptions& options) {
  const Scene scene = read_scene_with(options.scene, options.tolerance);
  const SceneBake bake(scene);
  const StepCache cache(cache_folder(options.cache));
  if (options.explain) return explain(bake, cache, options.json);
  const std::filesystem::path out = asset_path(options.scene, options.out);
  require_output(out.string(), options.scene);
  TerminalProgress progress;
  const AssetHead head = bake.bake(cache, out, progress);
  const Json doubts = doubts_of(scene, head, out);
  if (options.json) {
    Json report{{"asset", out.string()}, {"steps", describe_steps(head.steps)}};
    for (const AssetBody& body : head.bodies) report["quality"][body.name] = quality_words(body);
    if (!doubts.empty()) report["doubt"] = doubts;
    print(report, true);
    return;
  }
  print_steps(head.steps);
  for (const auto& [body, sentences] : doubts.items()) {
    for (const Json& words : sentences) fmt::print("{}: {}\n", body, words.get<std::string>());
  }
  for (const AssetBody& body : head.bodies) {
    for (const std::string& words : quality_words(body)) fmt::print("{}: {}\n", body.name, words);
  }
  fmt::print("written to {}\nnext: pliant play {}\n", out.string(), shell_word(options.scene));
}

}  // namespace

void add_bake(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "bake", "Precompute a scene, with progress; finished steps are kept and found again");
  const auto o = std::make_shared<BakeOptions>();
  command->add_option("scene", o->scene, "A scene file (see `pliant info --schema`)")->required();
  command->add_option("-o,--out", o->out, "Where to write the asset; default: SCENE.pliant");
  command->add_option("--cache", o->cache, "Folder of finished steps; default: ~/.cache/pliant");
  command
      ->add_option("--tolerance", o->tolerance,
                   "Let k and r grow until the mean error under test loads is below this")
      ->check(CLI::Range(1e-6, 0.999));
  command->add_flag("--explain", o->explain, "Only say which steps there are and what they cost");
  command->add_flag("--json", o->json, "Report as JSON");
  command->callback([o] { run_bake(*o); });
}

}  // namespace pliant::app
