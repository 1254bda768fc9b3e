// SPDX-License-Identifier: MIT
// pliant run SCENE: the scene without a screen, as fast as possible or in real time. A script of
// loads in; a recording and files for ParaView out.
#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "command_line.hpp"
#include "describe.hpp"
#include "pliant/asset/asset_head.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/devices/hardware.hpp"
#include "pliant/haptics/motion_device.hpp"
#include "pliant/haptics/paced_loop.hpp"
#include "pliant/haptics/real_time.hpp"
#include "pliant/report/frames.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/cycle_recorder.hpp"
#include "pliant/world/recording/cycle_replay.hpp"
#include "pliant/world/recording/recording.hpp"
#include "pliant/world/recording/script.hpp"
#include "scene_asset.hpp"
#include "terminal_progress.hpp"

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string scene, out, script, replay, record, cache, frames;
  std::optional<double> duration;
  double frame_rate = 25.0;
  int every = 1;
  bool json = false, real_time = false;
  int cpu = -1;
};

std::vector<std::string> names_of(const World& world) {
  std::vector<std::string> names;
  for (int b = 0; b < world.body_count(); ++b) names.push_back(world.body(b).name);
  return names;
}

// A world, what is done to it and what is kept of it.
struct Run {
  Run(const TensorFile& asset, const RunOptions& options)
      : world(asset, options.real_time ? real_time_options() : desktop_options()),
        script(options.script.empty() ? std::vector<TimedCommand>{}
                                      : read_script(options.script, world)),
        recording(options.out.empty() ? "run.pliant" : options.out, names_of(world)),
        state(world.make_state()),
        steps(static_cast<std::int64_t>(
            options.duration.value_or(world.head().duration) / world.dt() + 0.5)),
        every(options.every) {
    attach_device(options);
    if (!options.record.empty()) {
      recorder.emplace(options.record, world);
      world.set_log(&*recorder);
    }
    for (int b = 0; b < world.body_count(); ++b) {
      if (world.body(b).divided) workers.emplace_back(b);
    }
  }

  // What moves the handle: a recording, or what the scene asks for.
  void attach_device(const RunOptions& options) {
    if (options.replay.empty()) {
      if (options.real_time) {
        devices::attach_hardware(world);
      } else {
        devices::refuse_hardware(world.head().device);
      }
    } else if (const fs::path path = options.replay; path.extension() == ".csv") {
      const MappedFile file(path);
      world.attach(
          std::make_unique<MotionDevice>(
              "replay", HandTrajectory::read(std::string(file.bytes()), path.string()), world.dt()),
          {});
    } else {
      replay.emplace(CycleFile(path), world);
      steps = options.duration ? std::min(steps, replay->cycles()) : replay->cycles();
    }
  }

  // Step i; allocates nothing while the recording has room.
  void step(std::int64_t i) noexcept {
    const std::int64_t begin = MonotonicClock::now();
    if (replay) {
      replay->step();
    } else {
      script.before_step(i, world);
      world.step();
    }
    if (recorder) recorder->end_cycle(1e-3 * static_cast<double>(MonotonicClock::now() - begin));
    for (WorkedBody& worked : workers) {
      const DividedStep& divided = *world.body(worked.body).divided;
      if (divided.steps() == worked.steps) continue;
      worked.steps = divided.steps();
      worked.times.add(divided.last_step_ns());
    }
    const ContactCounters& now = world.data().contact.counters;
    most_contacts = std::max(most_contacts, now.contacts);
    most_visited = std::max(most_visited, now.visited);
    most_left_out = std::max(most_left_out, now.levels_left_out);
    deepest = std::max(deepest, now.deepest);
    if ((i + 1) % every != 0) return;
    world.state(state);
    recording.add(state);
  }

  // A body with a rate of its own, and how long its steps take.
  struct WorkedBody {
    explicit WorkedBody(int index) : body(index) {}
    int body;
    std::int64_t steps = 0;
    DurationHistogram times;
  };

  World world;
  std::optional<CycleReplay> replay;
  std::optional<CycleRecorder> recorder;
  std::deque<WorkedBody> workers;  // which stay where they are
  ScriptPlayer script;
  Recording recording;
  WorldState state;
  std::int64_t steps, done = 0;
  double seconds = 0;                                          // that the steps took
  int most_contacts = 0, most_visited = 0, most_left_out = 0;  // of a step
  double deepest = 0;                                          // m
  int every;
};

// Frames are of the rest state, and then of the steps next to their times.
class Frames {
 public:
  Frames(const RunOptions& options, const TensorFile& asset, Run& run)
      : run_(run), interval_(1 / options.frame_rate) {
    if (!options.frames.empty()) writer_.emplace(options.frames, asset, run.world);
  }
  void after_step(std::int64_t done) {
    const double time = static_cast<double>(done) * run_.world.dt();
    if (!writer_ || time < writer_->count() * interval_ - 0.5 * run_.world.dt()) return;
    run_.world.state(run_.state);
    writer_->add(time, run_.state);
  }
  void finish(Json& report) const {
    if (!writer_) return;
    report["frames"] = writer_->count();
    report["open in ParaView"] = writer_->finish().string();
  }

 private:
  Run& run_;
  double interval_;
  std::optional<FrameWriter> writer_;
};

void run_as_fast_as_possible(Run& run, Frames& frames, Progress& progress) {
  constexpr std::int64_t report_every = 100;
  progress.begin("run", run.steps);
  frames.after_step(0);
  const Timer timer;
  while (run.done < run.steps) {
    run.step(run.done++);
    frames.after_step(run.done);
    const std::int64_t rest = run.done % report_every;
    if (rest != 0 && run.done < run.steps) continue;
    run.seconds = timer.seconds();
    if (progress.cancelled()) return;
    progress.advance(rest == 0 ? report_every : rest);
  }
  progress.end();
}

Json describe_times(const DurationHistogram& h) {
  const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / 1000; };
  Json out = {{"p50 [us]", us(h.quantile(0.5))},
              {"p99 [us]", us(h.quantile(0.99))},
              {"p99.9 [us]", us(h.quantile(0.999))},
              {"max [us]", us(h.max())}};
  constexpr int first = 10, last = 24;  // 1 us to 17 ms
  Json bins = Json::object();
  std::uint64_t below = 0;
  for (int bits = first; bits <= last; ++bits) {
    const std::uint64_t count = h.count_below(bits);
    if (count > below) {
      bins[fmt::format("< {:.3g} us", us(std::int64_t{1} << bits))] = count - below;
    }
    below = count;
  }
  if (h.count() > below) bins["more"] = h.count() - below;
  out["histogram"] = bins;
  return out;
}

Json run_in_real_time(Run& run, int cpu, const Progress& progress) {
  const auto period = static_cast<std::int64_t>(std::lround(1e9 * run.world.dt()));
  PacedLoop loop(period);
  run.recording.reserve(run.steps / run.every + 1, run.state);
  const RealTimeScope scope(run.world.memory(), cpu);
  const Timer timer;
  if (run.steps > 0) {
    loop.run([&](const Cycle&) noexcept {
      run.step(run.done++);
      if (run.done >= run.steps || progress.cancelled()) loop.stop();
    });
  }
  run.seconds = timer.seconds();
  return {{"SCHED_FIFO", scope.fifo()},
          {"memory locked", scope.memory_locked()},
          {"on one processor", scope.pinned()},
          {"period [us]", static_cast<double>(period) / 1000},
          {"cycles", loop.cycles()},
          {"overruns", loop.overruns()},
          {"of them in a row at most", loop.longest_run()},
          {"of them by a late wake-up", loop.late_wake_ups()},
          {"deadlines skipped", loop.skipped()},
          {"work of a cycle", describe_times(loop.work())},
          {"wake-up", describe_times(loop.wake_up())}};
}

Json describe_contacts(const Run& run) {
  Json out = {{"at the end", run.state.contact.contacts},
              {"most in a step", run.most_contacts},
              {"most points looked at in a step", run.most_visited},
              {"points that may be looked at in a step", run.state.contact.budget},
              {"levels of points left out at most", run.most_left_out},
              {"points known to be clear at the end", run.state.contact.asleep},
              {"deepest [m]", run.deepest}};
  for (int b = 0; b < run.world.body_count(); ++b) {
    const Vector3d& f = run.state.bodies[static_cast<std::size_t>(b)].contact_force;
    if (f.isZero(0.0)) continue;
    out["force on " + run.world.body(b).name + " at the end [N]"] = {f[0], f[1], f[2]};
  }
  return out;
}

Json describe_device(const DeviceLink& link, const DeviceState& state) {
  const DeviceFacts& facts = link.device().facts();
  Json out = {{"name", facts.name},
              {"there at the end", state.there},
              {"renders forces", facts.renders_force},
              {"renders torques", facts.renders_torque}};
  if (const std::string message = link.device().message(); !message.empty()) out["says"] = message;
  if (!facts.renders_force) return out;
  out["state at the end"] = words_of(state.port);
  out["times that the force went off"] = state.faults;
  if (state.faults > 0) out["the last time because"] = words_of(state.fault);
  return out;
}

void run_scene(const RunOptions& options) {
  TerminalProgress progress;
  if (!options.out.empty()) {
    require_output(options.out, options.scene);
    require_output(options.out, asset_path(options.scene, "").string());
  }
  const TensorFile asset(need_asset(options.scene, options.cache, progress));
  Run run(asset, options);
  Frames frames(options, asset, run);
  Json real_time;
  if (options.real_time) {
    real_time = run_in_real_time(run, options.cpu, progress);
  } else {
    run_as_fast_as_possible(run, frames, progress);
  }
  const auto done = static_cast<double>(run.done);
  Json report = {{"steps", run.done},
                 {"simulated [s]", done * run.world.dt()},
                 {"took [s]", run.seconds},
                 {"a step [us]", run.done > 0 ? 1e6 * run.seconds / done : 0.0},
                 {"hash of the motion", fmt::format("{:016x}", run.recording.hash())}};
  if (run.replay) {
    report["cycles whose forces differ from the recorded ones"] = run.replay->different();
    if (run.replay->different() > 0) {
      report["the first of them"] = run.replay->first_different();
    }
  }
  if (run.recorder) {
    run.recorder->finish();
    report["cycles and commands recorded"] = run.recorder->rows();
    if (run.recorder->lost() > 0) report["of them lost"] = run.recorder->lost();
    if (!run.recorder->problem().empty()) report["recording"] = run.recorder->problem();
  }
  if (run.world.device() != nullptr) {
    report["device"] = describe_device(*run.world.device(), run.world.data().device);
  }
  if (run.done < run.steps) report["stopped after [s]"] = done * run.world.dt();
  run.world.state(run.state);
  if (run.world.data().contact.on) report["contacts"] = describe_contacts(run);
  std::int64_t rough = 0;
  for (const std::int64_t count : run.state.status_counts) rough += count;
  report["steps that did not go smoothly"] = rough;
  for (const Run::WorkedBody& worked : run.workers) {
    const Body& body = run.world.body(worked.body);
    Json times = describe_times(worked.times);
    times["allowed [us]"] = 1e6 * run.world.model(worked.body).dt;
    report["steps of " + body.name + " by its worker"] = std::move(times);
  }
  if (options.real_time) {
    report.erase("a step [us]");  // it would be the period
    report["real time"] = real_time;
  }
  if (!options.out.empty()) {
    run.recording.write();
    report["written to"] = options.out;
  }
  frames.finish(report);
  print(report, options.json);
  if (run.done < run.steps) throw Cancelled();
}

}  // namespace

void add_run(CommandLine& line) {
  auto* command =
      line.app.add_subcommand("run", "Simulate a scene without a screen; the same bits every time");
  const auto o = std::make_shared<RunOptions>();
  command->add_option("scene", o->scene, "A scene file, or an asset (.pliant)")->required();
  command->add_option("-o,--out", o->out, "Where to record: .csv, .pliant or .safetensors");
  command
      ->add_option("--duration", o->duration,
                   "Seconds of the scene's time; as the scene says without it")
      ->check(CLI::Range(0.0, 1e6));
  command->add_option("--script", o->script, "Loads and when they act: CSV, or a recording");
  auto* script = command->get_option("--script");
  command
      ->add_option("--replay", o->replay,
                   "What moves the handle: a trajectory (CSV), or a recording of cycles, which is "
                   "done again and compared")
      ->excludes(script);
  command->add_option("--record", o->record,
                      "Record every cycle's input, forces and counters to this file while it runs");
  command->add_option("--every", o->every, "Record every so many steps")->check(whole_from_one());
  auto* frames =
      command->add_option("--frames", o->frames, "Write VTU files and a .pvd to this folder");
  command->add_option("--frame-rate", o->frame_rate, "Frames in a second of the scene's time")
      ->check(CLI::Range(1e-3, 1e6))
      ->needs(frames)
      ->capture_default_str();
  auto* real_time =
      command
          ->add_flag("--real-time", o->real_time,
                     "One step a period of the clock; histograms of work and wake-up at the end")
          ->excludes(frames);
  command->add_option("--cpu", o->cpu, "The only processor that the loop runs on, from 0")
      ->check(CLI::Range(0, static_cast<int>(std::thread::hardware_concurrency()) - 1))
      ->needs(real_time);
  command->add_option("--cache", o->cache, "Folder of finished bake steps");
  command->add_flag("--json", o->json, "Report as JSON");
  command->callback([o] { run_scene(*o); });
}

}  // namespace pliant::app
