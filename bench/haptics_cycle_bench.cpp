// SPDX-License-Identifier: MIT
// Whole cycles of the contact examples in real time, a hand at work in each and a viewer's frames
// encoded beside: how long the work of a cycle takes, how late the machine wakes it, and that nothing
// is allocated, no number is lost and no device is given more than it may be.
#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/scene_world.hpp"
#include "pliant/haptics/motion_device.hpp"
#include "pliant/haptics/paced_loop.hpp"
#include "pliant/haptics/real_time.hpp"
#include "pliant/serve/frame.hpp"
#include "support/allocation_counter.hpp"

namespace pliant::bench {
namespace {

constexpr std::int64_t usual_cycles = 5'000, long_cycles = 60'000, warm_up = 300;
constexpr std::int64_t ten_minutes = 600'000;  // cycles
constexpr double device_reach = 0.1;           // the way of a device that spans the held body [m]

// Where the hand goes, in sizes of the body.
struct Touch {
  std::string scene;
  std::string pulled = {};  // the body whose highest point is pulled, where there is no handle
  HandRule::Kind kind = HandRule::Kind::poke;
  Vector3d direction = -Vector3d::UnitY();
  double size = 0.15;
  std::string group = "haptics", row = "cycle";  // the first parts of the rows' names
  std::int64_t cycles = 0;                       // 0: as many as usual; else only with --long
};

struct Measured {
  double p50 = 0, p99 = 0, p999 = 0, longest = 0;  // of the work [us]
  double wake_p50 = 0, wake_p999 = 0, wake_longest = 0;
  std::uint64_t cycles = 0, overruns = 0, late_wake_ups = 0, longest_run = 0;
  long allocations = 0;
  std::int64_t not_finite = 0, too_strong = 0;
  double most_force = 0, touched = 0;  // N; part of the cycles with a contact
  int most_contacts = 0;
};

Eigen::AlignedBox3d box_of(const World& world, int body) {
  Eigen::AlignedBox3d box;
  for (int s = 0; s < world.point_count(body); ++s) box.extend(world.position(body, s));
  return box;
}

// A hand on the handle: a simulated arm on a device of the usual kind, whose reach spans the body.
void attach_operator(World& world, const Touch& touch) {
  HandRule rule{.kind = touch.kind, .direction = touch.direction, .period = 1.7, .angle = 0.3};
  const double span = box_of(world, world.data().hold.body).sizes().norm();
  rule.size = touch.size * device_reach;
  DeviceLinkSpec link;
  link.scale = span / device_reach;
  link.guard = true;
  world.attach(std::make_unique<OperatorDevice>(OperatorSpec{.tremor = 1e-4, .encoder = 2e-5}, rule,
                                                world.dt()),
               link);
}

// A hand that pulls at a point, as a viewer does: a target 60 times a second.
class Puller {
 public:
  Puller(const World& world, const Touch& touch) {
    for (int b = 0; b < world.body_count(); ++b) {
      if (world.body(b).name == touch.pulled) body_ = b;
    }
    for (int s = 1; s < world.point_count(body_); ++s) {
      if (world.position(body_, s)[1] > world.position(body_, point_)[1]) point_ = s;
    }
    start_ = world.position(body_, point_);
    rule_ = {.kind = touch.kind, .direction = touch.direction, .period = 1.7};
    rule_.size = touch.size * box_of(world, body_).sizes().norm();
  }
  void before_step(World& world, std::int64_t n) const noexcept {
    if (n % 16 != 0) return;
    const double time = static_cast<double>(n) * world.dt();
    world.post(command::Pull{.slot = 0,
                             .body = body_,
                             .point = point_,
                             .target = Vector3d(start_ + rule_.at(time).pose.position)});
  }

 private:
  int body_ = 0, point_ = 0;
  Vector3d start_;
  HandRule rule_;
};

// What serves a viewer: 60 frames a second of the newest state.
class Viewer {
 public:
  explicit Viewer(World& world) : world_(world) {
    for (int b = 0; b < world.body_count(); ++b) {
      const PointSet& surface = world.model(b).surface;
      drawn_.push_back(surface.is_dense() ? &surface : nullptr);
    }
    thread_ = std::thread([this] {
      while (!ended_) {
        if (world_.snapshots().fetch()) {
          serve::encode_sections(world_.snapshots().front(), drawn_, nullptr, text_);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(16));
      }
    });
  }
  ~Viewer() {
    ended_ = true;
    thread_.join();
  }

 private:
  World& world_;
  std::vector<const PointSet*> drawn_;
  std::string text_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

// The hand's share of a world: its limits, and what it was given.
class Watch {
 public:
  explicit Watch(const World& world) : world_(world) {
    if (const auto* c = std::get_if<StaticCoupling>(&world.data().hold.coupling)) {
      most_felt_ = c->spec().device_force;
    }
  }
  void after_step(StepStatus status, Measured& out) const noexcept {
    const WorldData& data = world_.data();
    const Vector6d& felt = data.hold.felt.on_hand;
    const Vector6d& rendered = data.device.rendered;
    const bool sound = felt.allFinite() && rendered.allFinite();
    out.not_finite += !sound || has(status, StepStatus::not_finite) ? 1 : 0;
    const double given = rendered.head<3>().norm();
    const bool strong = given > OperatorSpec{}.most_force * (1 + 1e-12) ||
                        felt.head<3>().norm() > most_felt_ * (1 + 1e-12);
    out.too_strong += strong ? 1 : 0;
    out.most_force = std::max(out.most_force, given);
    out.most_contacts = std::max(out.most_contacts, data.contact.counters.contacts);
    out.touched += data.contact.counters.contacts > 0 ? 1 : 0;
  }

 private:
  const World& world_;
  double most_felt_ = std::numeric_limits<double>::infinity();
};

Measured measure(const Touch& touch) {
  SceneWorld scene(read_scene(std::filesystem::path(PLIANT_EXAMPLES) / (touch.scene + ".toml")),
                   real_time_options());
  World& world = *scene;
  std::optional<Puller> puller;
  if (world.data().hold.body >= 0) {
    attach_operator(world, touch);
  } else {
    puller.emplace(world, touch);
  }
  std::int64_t n = 0;
  const auto step = [&]() noexcept {
    if (puller) puller->before_step(world, n);
    ++n;
    return world.step();
  };
  while (n < warm_up) step();

  Measured out;
  const Watch watch(world);
  const Viewer viewer(world);
  PacedLoop loop(std::lround(1e9 * world.dt()));
  const std::int64_t usual = at_length() ? long_cycles : usual_cycles;
  const std::int64_t last = warm_up + (touch.cycles > 0 ? touch.cycles : usual);
  const RealTimeScope scope(world.memory());
  const test::AllocationCounter counter;
  loop.run([&](const Cycle&) noexcept {
    watch.after_step(step(), out);
    if (n >= last) loop.stop();
  });
  out.allocations = counter.count();
  const auto us = [](std::int64_t ns) { return 1e-3 * static_cast<double>(ns); };
  out.p50 = us(loop.work().quantile(0.5));
  out.p99 = us(loop.work().quantile(0.99));
  out.p999 = us(loop.work().quantile(0.999));
  out.longest = us(loop.work().max());
  out.wake_p50 = us(loop.wake_up().quantile(0.5));
  out.wake_p999 = us(loop.wake_up().quantile(0.999));
  out.wake_longest = us(loop.wake_up().max());
  out.cycles = loop.cycles();
  out.overruns = loop.overruns();
  out.late_wake_ups = loop.late_wake_ups();
  out.longest_run = loop.longest_run();
  out.touched /= static_cast<double>(out.cycles);
  return out;
}

// Once for all rows of a scene.
const Measured& figures_of(const Touch& touch) {
  static std::map<std::pair<std::string, std::int64_t>, Measured> known;
  const std::pair key{touch.scene, touch.cycles};
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, measure(touch)).first->second;
}

std::vector<Row> rows_of(const Touch& touch) {
  const std::string name = touch.group + "." + touch.row + "." + touch.scene;
  const bool slow = touch.cycles > 0;
  return {
      {.name = name + ".p50",
       .unit = "us",
       .published = touch.group == "haptics" ? "260-870 us" : "",
       .target = {.at_most = 200},
       .slow = slow,
       .run =
           [touch] {
             const Measured& f = figures_of(touch);
             return Result{
                 .value = f.p50,
                 .detail = fmt::format("{} cycles, {:.0f} % in contact, {} points at most",
                                       f.cycles, 100 * f.touched, f.most_contacts)};
           }},
      {.name = name + ".p999",
       .unit = "us",
       .target = {.at_most = 500},
       .slow = slow,
       .run =
           [touch] {
             const Measured& f = figures_of(touch);
             return Result{.value = f.p999,
                           .detail = fmt::format(
                               "p99 {:.0f}, max {:.0f} us; wake-up p50 {:.0f}, p99.9 {:.0f}, "
                               "max {:.0f} us; {} overruns, {} by the wake-up, {} in a row",
                               f.p99, f.longest, f.wake_p50, f.wake_p999, f.wake_longest,
                               f.overruns, f.late_wake_ups, f.longest_run)};
           }},
      {.name = name + ".faults",
       .unit = "",
       .target = {.at_most = 0},
       .slow = slow,
       .run =
           [touch] {
             const Measured& f = figures_of(touch);
             return Result{
                 .value = static_cast<double>(f.allocations + f.not_finite + f.too_strong),
                 .detail =
                     fmt::format("{} allocations, {} cycles with what is no number, {} above the "
                                 "limit of the device; {:.2f} N at most",
                                 f.allocations, f.not_finite, f.too_strong, f.most_force)};
           }},
  };
}

std::vector<Row> all_rows() {
  using Kind = HandRule::Kind;
  const std::vector<Touch> touches{
      {.scene = "alpha", .kind = Kind::circle, .direction = Vector3d::UnitX()},
      {.scene = "ball", .pulled = "bunny", .kind = Kind::circle, .direction = Vector3d::UnitZ()},
      {.scene = "bolt", .pulled = "bolt", .kind = Kind::circle, .direction = Vector3d::UnitY()},
      {.scene = "chair", .pulled = "chair", .kind = Kind::circle, .direction = Vector3d::UnitX()},
      {.scene = "dinosaur"},
      {.scene = "dinosaur", .row = "ten_minutes", .cycles = ten_minutes},
      {.scene = "hose", .size = 0.4},
      {.scene = "hoses"},
      {.scene = "jellies", .pulled = "ball", .kind = Kind::circle, .direction = Vector3d::UnitZ()},
      {.scene = "knight"},
      {.scene = "mould", .pulled = "dragon", .kind = Kind::poke, .direction = Vector3d::UnitY()},
      {.scene = "peg", .pulled = "peg", .kind = Kind::poke, .direction = Vector3d::UnitY()},
      {.scene = "vessel", .pulled = "tool", .kind = Kind::circle, .direction = Vector3d::UnitY()},
      {.scene = "tube", .pulled = "tube", .size = 0.02, .group = "green"},
      {.scene = "sagging", .pulled = "tube", .size = 0.02, .group = "green"},
      {.scene = "cable", .pulled = "cable", .size = 0.02, .group = "green"},
      {.scene = "laminate", .pulled = "laminate", .size = 0.02, .group = "green"},
      {.scene = "probe", .group = "green"},
      {.scene = "beam", .group = "vademecum"},
      {.scene = "beams", .pulled = "upper", .group = "vademecum"},
  };
  std::vector<Row> rows;
  for (const Touch& touch : touches) {
    for (Row& row : rows_of(touch)) rows.push_back(std::move(row));
  }
  return rows;
}

const Rows rows(all_rows());

}  // namespace
}  // namespace pliant::bench
