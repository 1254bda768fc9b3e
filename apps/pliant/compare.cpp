// SPDX-License-Identifier: MIT
// pliant compare SCENE: the same loads on every engine, against the full one with a fine step.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line.hpp"
#include "describe.hpp"
#include "pliant/base/file.hpp"
#include "pliant/base/text.hpp"
#include "pliant/report/comparison.hpp"
#include "pliant/report/comparison_page.hpp"
#include "pliant/report/static_comparison.hpp"
#include "pliant/scene/read_scene.hpp"
#include "scene_asset.hpp"
#include "terminal_progress.hpp"

namespace pliant::app {
namespace {

struct CompareOptions {
  std::string scene, html, script, cache;
  ComparisonOptions comparison;
  bool at_rest = false;
  std::vector<double> force;
  bool json = false;
};

Json describe_comparison(const EngineComparison& engine, bool reference) {
  Json out = {{"what", engine.what}, {"rate [Hz]", engine.rate}};
  if (!engine.left_out.empty()) {
    out["left out"] = engine.left_out;
    return out;
  }
  out["steps"] = engine.steps;
  out["steps that did not go smoothly"] = engine.rough_steps;
  out["a step [us]"] = 1e6 * engine.step_mean;
  out["longest step [us]"] = 1e6 * engine.step_max;
  out["times real time"] = engine.times_real_time();
  out["bake [s]"] = engine.bake_seconds;
  out["set-up [s]"] = engine.set_up_seconds;
  if (engine.memory) out["memory [bytes]"] = *engine.memory;
  for (const BodyComparison& body : engine.bodies) {
    Json& json = out["bodies"][body.name];
    if (!reference) {
      json["mean error"] = body.mean_error;
      json["largest error"] = body.max_error;
      json["largest error of energy"] = body.energy_error;
      json["error"] = body.error;
    }
    json["largest change of volume"] = body.volume_change;
    if (body.frequency) json["frequency [Hz]"] = *body.frequency;
    json["displacement [m]"] = body.deflection;
    json["energy [J]"] = body.energy;
    json["change of volume"] = body.volume;
  }
  return out;
}

Json describe_comparison(const Comparison& comparison) {
  Json out = {{"title", comparison.title}, {"times [s]", comparison.times}};
  if (comparison.touch) {
    const ComparisonTouch& touch = *comparison.touch;
    const auto numbers = [](const Vector3d& v) { return Json{v[0], v[1], v[2]}; };
    out["push"] = {{"body", touch.body},
                   {"point", touch.point},
                   {"at [m]", numbers(touch.at)},
                   {"force [N]", numbers(touch.force)},
                   {"until [s]", touch.until}};
  }
  out["reference"] = describe_comparison(comparison.reference, true);
  for (const EngineComparison& engine : comparison.engines) {
    out["engines"][engine.name] = describe_comparison(engine, false);
  }
  return out;
}

std::string in_percent(double part) {
  return fmt::format("{:.3g} %", 100 * part);
}

std::string in_time(double seconds) {
  return seconds < 1e-3  ? fmt::format("{:.3g} us", 1e6 * seconds)
         : seconds < 1.0 ? fmt::format("{:.3g} ms", 1e3 * seconds)
                         : fmt::format("{:.3g} s", seconds);
}

void print_row(const EngineComparison& engine, bool reference, bool with_body) {
  if (!engine.left_out.empty()) {
    fmt::print("{:<10} left out: {}\n", engine.name, engine.left_out);
    return;
  }
  for (const BodyComparison& body : engine.bodies) {
    const std::string none = "-";
    fmt::print("{:<10} ", engine.name);
    if (with_body) fmt::print("{:<12} ", body.name);
    fmt::print("{:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>10} {:>9} {:>9}\n",
               reference ? none : in_percent(body.mean_error),
               reference ? none : in_percent(body.max_error),
               body.frequency ? fmt::format("{:.4g} Hz", *body.frequency) : none,
               reference ? none : in_percent(body.energy_error), in_percent(body.volume_change),
               in_time(engine.step_mean), fmt::format("{:.3g} x", engine.times_real_time()),
               in_time(engine.bake_seconds),
               engine.memory ? fmt::format("{:.3g} MB", *engine.memory / 1e6) : none);
  }
}

void print_table(const Comparison& comparison) {
  const bool with_body = comparison.bodies.size() > 1;
  fmt::print("{:<10} ", "engine");
  if (with_body) fmt::print("{:<12} ", "body");
  fmt::print("{:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>10} {:>9} {:>9}\n", "mean error",
             "largest", "frequency", "energy", "volume", "a step", "real time", "bake", "memory");
  print_row(comparison.reference, true, with_body);
  for (const EngineComparison& engine : comparison.engines) print_row(engine, false, with_body);
}

std::string command_of(const CompareOptions& o) {
  std::string text = "pliant compare " + shell_word(o.scene);
  const auto add = [&](const char* option, double value, double otherwise) {
    if (value != otherwise) text += fmt::format(" {} {:g}", option, value);
  };
  if (!o.comparison.engines.empty()) {
    text += fmt::format(" --engines {}", fmt::join(o.comparison.engines, ","));
  }
  const ComparisonOptions defaults;
  add("--duration", o.comparison.duration, defaults.duration);
  add("--rate", o.comparison.rate, defaults.rate);
  add("--reference-rate", o.comparison.reference_rate, defaults.reference_rate);
  add("--limit", o.comparison.time_limit, defaults.time_limit);
  if (!o.script.empty()) text += " --script " + shell_word(o.script);
  if (o.at_rest) text += " --static";
  if (!o.force.empty()) text += fmt::format(" --force {:g}", fmt::join(o.force, ","));
  return text + " --html " + shell_word(o.html);
}

Json describe_comparison(const StaticEngine& engine) {
  Json out = {{"what", engine.what}};
  if (!engine.left_out.empty()) {
    out["left out"] = engine.left_out;
    return out;
  }
  out["error"] = engine.error;
  out["displacement [m]"] = engine.deflection;
  out["a step [us]"] = 1e6 * engine.step_mean;
  out["bake [s]"] = engine.bake_seconds;
  return out;
}

Json describe_comparison(const StaticComparison& comparison) {
  const Vector3d& f = comparison.force;
  Json out = {{"title", comparison.title},   {"body", comparison.body},
              {"point", comparison.point},   {"force [N]", {f[0], f[1], f[2]}},
              {"levels", comparison.levels}, {"full", describe_comparison(comparison.full)}};
  for (const StaticEngine& engine : comparison.engines) {
    out["engines"][engine.name] = describe_comparison(engine);
  }
  return out;
}

void print_table(const StaticComparison& comparison) {
  fmt::print("{:<10}", "engine");
  for (const double level : comparison.levels) {
    fmt::print(" {:>14}", fmt::format("{:.3g} N", level * comparison.force.norm()));
  }
  fmt::print(" {:>10} {:>9}\n", "a step", "bake");
  const auto row = [&](const StaticEngine& engine, bool full) {
    if (!engine.left_out.empty()) {
      fmt::print("{:<10} left out: {}\n", engine.name, engine.left_out);
      return;
    }
    fmt::print("{:<10}", engine.name);
    for (std::size_t k = 0; k < engine.error.size(); ++k) {
      fmt::print(" {:>14}", full ? fmt::format("{:.4g} mm", 1e3 * engine.deflection[k])
                                 : in_percent(engine.error[k]));
    }
    fmt::print(" {:>10} {:>9}\n", in_time(engine.step_mean), in_time(engine.bake_seconds));
  };
  row(comparison.full, true);
  for (const StaticEngine& engine : comparison.engines) row(engine, false);
}

void run_at_rest(const CompareOptions& options, Progress& progress) {
  StaticComparisonOptions wanted{.engines = options.comparison.engines};
  if (!options.force.empty()) {
    wanted.force = Vector3d(options.force[0], options.force[1], options.force[2]);
  }
  const StaticComparison comparison = compare_at_rest(
      read_scene(options.scene), wanted, StepCache(cache_folder(options.cache)), progress);
  if (!options.html.empty()) {
    AtomicFile file(options.html);
    file.write(static_comparison_page(comparison, command_of(options)));
    file.commit();
  }
  if (options.json) {
    print(describe_comparison(comparison), true);
    return;
  }
  print_table(comparison);
  if (!options.html.empty()) fmt::print("written to {}\n", options.html);
}

void run_compare(const CompareOptions& options) {
  TerminalProgress progress;
  if (!options.html.empty()) require_output(options.html, options.scene);
  if (options.at_rest) return run_at_rest(options, progress);
  const Comparison comparison = compare(read_scene(options.scene), options.comparison,
                                        StepCache(cache_folder(options.cache)), progress);
  if (!options.html.empty()) {
    AtomicFile file(options.html);
    file.write(comparison_page(comparison, command_of(options)));
    file.commit();
  }
  if (options.json) {
    print(describe_comparison(comparison), true);
    return;
  }
  print_table(comparison);
  if (!options.html.empty()) fmt::print("written to {}\n", options.html);
}

}  // namespace

void add_compare(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "compare", "The same loads on every engine against the full one: errors, times, a report");
  const auto o = std::make_shared<CompareOptions>();
  command->add_option("scene", o->scene, "A scene file")->required();
  command->add_option("--engines", o->comparison.engines, "Only these, e.g. reduced,implicit")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(comparison_engines()));
  command
      ->add_option("--duration", o->comparison.duration,
                   "Seconds of the scene's time; default: three periods of the first mode")
      ->check(CLI::Range(1e-6, 1e6));
  command->add_option("--rate", o->comparison.rate, "Steps a second; default: the scene's")
      ->check(CLI::Range(1.0, 1e6));
  command
      ->add_option("--reference-rate", o->comparison.reference_rate,
                   "Steps a second of the reference; default: twice the engines'")
      ->check(CLI::Range(1.0, 1e6));
  command
      ->add_option("--limit", o->comparison.time_limit,
                   "Leave out an engine whose run would take longer than so many seconds")
      ->check(more_than_zero())
      ->capture_default_str();
  command->add_option(
      "--script", o->script,
      "Loads and when they act, CSV or a recording; default: a push where the body yields most");
  auto* at_rest = command->add_flag(
      "--static", o->at_rest,
      "Where engines come to rest under a force at three levels, against the full equilibrium");
  command
      ->add_option(
          "--force", o->force,
          "The largest force [N], X,Y,Z; default: the load of the scene's vademecum, or one "
          "that suits the body")
      ->delimiter(',')
      ->expected(3)
      ->needs(at_rest);
  command->add_option("--html", o->html, "Write a report with plots and pictures");
  command->add_option("--cache", o->cache, "Folder of finished bake steps");
  command->add_flag("--json", o->json, "All figures and curves as JSON");
  for (const char* of_motion :
       {"--duration", "--rate", "--reference-rate", "--limit", "--script"}) {
    at_rest->excludes(command->get_option(of_motion));
  }
  command->callback([o] {
    o->comparison.script = o->script;
    run_compare(*o);
  });
}

}  // namespace pliant::app
