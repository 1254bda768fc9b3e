// SPDX-License-Identifier: MIT
// pliant doctor: is this machine fit for 1 kHz? Its facts, its rights, the jitter of its timer, and
// what to do next. With a scene: is that fit to be touched?
#include <memory>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "command_line.hpp"
#include "machine.hpp"
#include "pliant/bake/step_cache.hpp"
#include "pliant/base/file.hpp"
#include "pliant/haptics/paced_loop.hpp"
#include "pliant/haptics/real_time.hpp"
#include "scene_asset.hpp"
#include "terminal_progress.hpp"
#include "touch_check.hpp"

namespace pliant::app {
namespace {

constexpr std::int64_t period = 1'000'000;  // ns: 1 kHz
// Of the wake-up that one cycle in a thousand exceeds [us]. The work of a cycle is meant to take
// half of the period, so a wake-up of 400 us leaves a tenth of it.
constexpr double good_wake_up = 100, bearable_wake_up = 400;
constexpr double busy_load = 0.5;  // running threads a core
constexpr double little_disk_gb = 1;

struct DoctorOptions {
  std::string scene, cache, map;
  double seconds = 5;
  bool json = false;
};

struct Jitter {
  bool fifo = false, memory_locked = false;
  std::uint64_t cycles = 0, skipped = 0;
  double p50 = 0, p99 = 0, p999 = 0, max = 0;  // of the wake-up, us
};

Jitter measure(double seconds) {
  PacedLoop loop(period);
  const auto last = static_cast<std::uint64_t>(seconds * 1e9 / period);
  const RealTimeScope scope;
  loop.run([&](const Cycle& cycle) noexcept {
    if (cycle.index + 1 >= last) loop.stop();
  });
  const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / 1000; };
  const DurationHistogram& h = loop.wake_up();
  return {scope.fifo(),        scope.memory_locked(), loop.cycles(),         loop.skipped(),
          us(h.quantile(0.5)), us(h.quantile(0.99)),  us(h.quantile(0.999)), us(h.max())};
}

enum class Fitness { good, bearable, bad };

Fitness fitness_of(const Jitter& jitter) {
  return jitter.p999 <= good_wake_up       ? Fitness::good
         : jitter.p999 <= bearable_wake_up ? Fitness::bearable
                                           : Fitness::bad;
}

std::string verdict(const Machine& machine, const Jitter& jitter) {
  const Fitness fitness = fitness_of(jitter);
  std::string text =
      fitness == Fitness::good
          ? fmt::format("fit for 1 kHz: of 1000 wake-ups 999 come within {:.0f} us", jitter.p999)
      : fitness == Fitness::bearable
          ? fmt::format("bearable at 1 kHz: one wake-up in 1000 is more than {:.0f} us late",
                        jitter.p999)
          : fmt::format(
                "not fit for 1 kHz as it is: one wake-up in 1000 is more than {:.0f} us late",
                jitter.p999);
  if (jitter.skipped > 0) text += fmt::format("; {} deadlines were missed", jitter.skipped);
  if (machine.usable_cores < 2) text += "; the loop shares its only core with everything else";
  return text;
}

std::vector<std::string> advice(const Machine& machine, const Jitter& jitter, double disk_gb) {
  std::vector<std::string> next;
  const bool good = fitness_of(jitter) == Fitness::good;
  if (!jitter.fifo || !jitter.memory_locked) {
    next.emplace_back(
        "allow real-time scheduling and locked memory: `sudo setcap cap_sys_nice,cap_ipc_lock=ep "
        "$(command -v pliant)`, or the lines `USER - rtprio 90` and `USER - memlock unlimited` in "
        "/etc/security/limits.d/pliant.conf and a new login");
  }
  for (const std::string& governor : machine.governors) {
    if (governor == "performance") continue;
    next.push_back(
        fmt::format("keep the frequency up (it is set to '{}'): `sudo cpupower "
                    "frequency-set -g performance`",
                    governor));
  }
  if (!good && machine.load > busy_load * machine.cores) {
    next.push_back(
        fmt::format("other programs keep the machine busy ({:.1f} running threads): end "
                    "them and measure again",
                    machine.load));
  }
  if (!good && machine.virtual_machine) {
    next.emplace_back(
        "this is a virtual machine, from which its host takes time at will: measure "
        "on the machine itself");
  }
  if (!good && jitter.fifo && !machine.preempt_rt) {
    next.emplace_back("try a kernel with PREEMPT_RT (Debian: linux-image-rt-amd64)");
  }
  if (disk_gb >= 0 && disk_gb < little_disk_gb) {
    next.push_back(
        fmt::format("only {:.2f} GB are free for the cache of `bake`: make room", disk_gb));
  }
  if (next.empty()) next.emplace_back("nothing to mend; `pliant bench` times the kernels here");
  return next;
}

// ---- of a scene

constexpr double good_cycle = 200, bearable_cycle = 500;  // p50 and p99.9 [us]

std::string round_text(double x) {
  return fmt::format("{:.3g}", x);
}

Json describe_finding(const CycleTimes& times) {
  Json out = Json::object();
  for (const StageTime& stage : times.stages) {
    out[stage.name + " [us]"] = {{"mean", round_text(stage.mean)},
                                 {"p99.9", round_text(stage.p999)}};
  }
  out["cycle p50 [us]"] = times.p50;
  out["cycle p99.9 [us]"] = times.p999;
  out["period [us]"] = times.period;
  out["contacts at most"] = times.most_contacts;
  return out;
}

void advise(const CycleTimes& times, std::vector<std::string>& next) {
  if (times.p50 <= good_cycle && times.p999 <= std::max(bearable_cycle, 0.5 * times.period)) return;
  const auto slow = std::ranges::max_element(times.stages, {}, &StageTime::mean);
  const char* turn =
      slow->name == "contact"
          ? "`[contact] budget` bounds the points that are looked at, `contact.points` and "
            "`contact.resolution` of the bodies say how fine they are"
      : slow->name == "steps of the bodies"
          ? "fewer shapes (`engine.r`), or a `rate` of its own for a body of the full engine"
      : slow->name == "hold"
          ? "`coupling = \"coupled\"` of the [handle] solves for the bodies that it touches too: "
            "fewer shapes of theirs (`engine.r`), or `coupling = \"static\"`"
          : "`[wind]` and pulls cost by the points of a surface: a coarser mesh";
  next.push_back(fmt::format("'{}' takes {:.0f} of {:.0f} us a cycle: {}", slow->name, slow->mean,
                             times.period, turn));
}

Json describe_finding(const Stability& found, const DoctorOptions& options) {
  Json out = {{"metres of the scene to one of the device", found.scale},
              {"stiffness of the scene at the device [N/m]", found.own},
              {"the simulated hand is calm with it", found.own_is_calm},
              {"stiffest at the scene's damping [N/m]", found.stiffest},
              {"stiffest at any [N/m]", found.stiffest_at_all},
              {"that damping", found.best_damping}};
  if (!options.map.empty()) out["map"] = options.map;
  return out;
}

void advise(const Stability& found, std::vector<std::string>& next) {
  if (!found.touches) {
    next.emplace_back("the hand found nothing to press on: move the held body nearer to others");
  }
  if (found.own_is_calm) return;
  next.push_back(found.stiffest > 0
                     ? fmt::format("the hand swings: set `handle.stiffness` to {:.3g} N/m at most",
                                   found.stiffest / found.scale)
                     : fmt::format("the hand swings: set `handle.damping` to {:g} and "
                                   "`handle.stiffness` to {:.3g} N/m at most",
                                   found.best_damping, found.stiffest_at_all / found.scale));
  next.emplace_back("or let `guard` of the [device] keep it from swinging");
}

Json describe_finding(const PopThrough& found) {
  return {
      {"thinnest body", found.thinnest},
      {"its thickness [m]", found.thickness},
      {"pressed in at most [m]", found.pressed},
      {"way in a cycle at most [m]", found.step_limit},
      {"largest speed without passing [m/s]", found.speed > 0 ? Json(found.speed) : Json("none")},
      {"passes at some speed of the hand",
       found.step_limit > 0.5 * found.thickness - found.pressed}};
}

void advise(const PopThrough& found, std::vector<std::string>& next) {
  if (found.speed <= 0) {
    next.push_back(
        fmt::format("'{}' is only {:.3g} m thick, and is pressed in by {:.3g} m: lower "
                    "`handle.most_force`, or raise `[contact] stiffness`",
                    found.thinnest, found.thickness, found.pressed));
  } else if (found.step_limit > 0.5 * found.thickness - found.pressed) {
    next.push_back(fmt::format("a fast hand passes through '{}': set `handle.speed` to {:.3g} m/s",
                               found.thinnest, found.speed));
  }
}

// Says where the time goes and what can be felt, and what to turn.
void check_scene(const DoctorOptions& options, Json& out, std::vector<std::string>& next) {
  TerminalProgress progress;
  if (!options.map.empty()) require_writable(options.map);
  const TensorFile asset(need_asset(options.scene, options.cache, progress));
  const CycleTimes times = time_stages(asset);
  out["a cycle of the scene"] = describe_finding(times);
  advise(times, next);
  if (const auto found = sweep_stiffness(asset)) {
    out["stiffness that a hand bears"] = describe_finding(*found, options);
    if (!options.map.empty()) {
      AtomicFile file(options.map);
      file.write(svg_of(found->map));
      file.commit();
    }
    advise(*found, next);
  } else {
    const std::string why = why_no_sweep(asset);
    out["stiffness that a hand bears"] = why;
    if (!options.map.empty()) throw Error("there is no map: " + why);
  }
  if (const auto found = find_pop_through(asset)) {
    out["passing through"] = describe_finding(*found);
    advise(*found, next);
  }
}

std::string limit_text(double limit, const char* unit) {
  return limit < 0 ? "none" : fmt::format("{:g}{}", limit, unit);
}

void run_doctor(const DoctorOptions& options) {
  const Machine machine = this_machine();
  if (!options.json && isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "measuring the timer for {:g} s ..\n", options.seconds);
  }
  const Jitter jitter = measure(options.seconds);
  const double disk_gb = free_disk_gb(StepCache::default_folder());
  Json out;
  out["processor"] = {
      {"model", machine.processor},
      {"cores", machine.cores},
      {"cores for this process", machine.usable_cores},
      {"SIMD", machine.simd},
      {"frequency governor", machine.governors.empty()
                                 ? "not shown"
                                 : fmt::format("{}", fmt::join(machine.governors, ", "))},
      {"virtual machine", machine.virtual_machine},
      {"load", machine.load}};
  out["memory and disk"] = {{"memory [GB]", machine.memory_gb},
                            {"memory available [GB]", machine.available_gb},
                            {"free for the cache [GB]", disk_gb},
                            {"free here [GB]", free_disk_gb(std::filesystem::current_path())}};
  out["scheduling"] = {
      {"kernel", machine.kernel},
      {"PREEMPT_RT", machine.preempt_rt},
      {"SCHED_FIFO allowed", jitter.fifo},
      {"memory locked", jitter.memory_locked},
      {"RLIMIT_RTPRIO", limit_text(static_cast<double>(machine.priority_limit), "")},
      {"RLIMIT_MEMLOCK", limit_text(machine.locked_memory_limit_gb, " GB")}};
  out["timer at 1 kHz"] = {
      {"cycles", jitter.cycles},           {"missed deadlines", jitter.skipped},
      {"wake-up p50 [us]", jitter.p50},    {"wake-up p99 [us]", jitter.p99},
      {"wake-up p99.9 [us]", jitter.p999}, {"wake-up max [us]", jitter.max}};
  out["optional parts"] = optional_parts();
  out["verdict"] = verdict(machine, jitter);
  std::vector<std::string> next = advice(machine, jitter, disk_gb);
  if (!options.scene.empty()) check_scene(options, out, next);
  out["next"] = next;
  print(out, options.json);
}

}  // namespace

void add_doctor(CommandLine& line) {
  auto* command = line.app.add_subcommand(
      "doctor",
      "Is this machine fit for 1 kHz, and a scene to be touched: what is slow, what swings");
  const auto options = std::make_shared<DoctorOptions>();
  auto* scene = command->add_option("scene", options->scene, "A scene file, or an asset (.pliant)");
  command
      ->add_option("--map", options->map,
                   "Write which stiffness a simulated hand bears to this file (.svg)")
      ->needs(scene);
  command->add_option("--cache", options->cache, "Folder of finished bake steps")->needs(scene);
  command->add_option("--seconds", options->seconds, "How long to measure the timer")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options] { run_doctor(*options); });
}

}  // namespace pliant::app
