// SPDX-License-Identifier: MIT
#include "touch_check.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include <fmt/format.h>

#include "pliant/base/match.hpp"
#include "pliant/base/random.hpp"
#include "pliant/contact/query.hpp"
#include "pliant/haptics/duration_histogram.hpp"
#include "pliant/haptics/operator_hand.hpp"
#include "pliant/haptics/paced_loop.hpp"
#include "pliant/world/contact_stage.hpp"
#include "pliant/world/desktop.hpp"

namespace pliant::app {
namespace {

constexpr int measured_cycles = 3000;
constexpr double reach = 0.1;        // way of a device that spans the held body [m]
constexpr double pressed_in = 0.3;   // how far a hand means to go, in sizes of the body
constexpr double calm_speed = 0.02;  // of the hand towards the end of a try [m/s]
constexpr double try_seconds = 0.9;

WorldData make(const TensorFile& asset, const AssetHead& head) {
  return make_world(asset, head, engines(), make_thread_worker);
}

Eigen::AlignedBox3d box_of(const WorldData& world, const Body& body) {
  const PointSet& surface = world.model_of(body).surface;
  Eigen::AlignedBox3d box;
  for (Index s = 0; s < surface.point_count(); ++s) box.extend(surface.position(body.motion, s));
  return box;
}

double span_of_held(const WorldData& world) {
  return box_of(world, world.bodies[static_cast<std::size_t>(world.hold.body)]).sizes().norm();
}

void step(WorldData& world) noexcept {
  stages::wind(world);
  stages::clear_loads(world);
  stages::gravity(world);
  stages::pulls(world);
  stages::contact(world);
  stages::hold(world);
  stages::step(world);
}

void move_hand(WorldData& world, const Vector3d& from_start) noexcept {
  world.hold.target = world.hold.start;
  world.hold.target.position += from_start;
  world.hold.eased = false;
}

// The direction in which something is felt most.
Vector3d where_to_press(WorldData& world) {
  const double way = pressed_in * span_of_held(world);
  Vector3d best = -Vector3d::UnitY();
  double most = -1;
  constexpr int cycles = 400;
  for (const Vector3d& d : {Vector3d(0, -1, 0), Vector3d(0, 1, 0), Vector3d(1, 0, 0),
                            Vector3d(-1, 0, 0), Vector3d(0, 0, 1), Vector3d(0, 0, -1)}) {
    stages::reset(world);
    for (int n = 1; n <= cycles; ++n) {
      move_hand(world, way * n / cycles * d);
      step(world);
    }
    const double felt =
        world.contact.bodies.empty()
            ? 0.0
            : world.contact.bodies[static_cast<std::size_t>(world.hold.body)].force.norm();
    if (felt > most) {
      most = felt;
      best = d;
    }
  }
  stages::reset(world);
  return best;
}

// A simulated arm on a device, by which the hand of the scene is moved.
class Arm {
 public:
  Arm(const WorldData& world, double scale, const Vector3d& direction)
      : scale_(scale), direction_(direction), hand_({.encoder = 2e-5}, world.dt, {}) {}

  void before(WorldData& world) noexcept { move_hand(world, scale_ * hand_.sensed().position); }
  void after(const WorldData& world, double time) noexcept {
    Vector6d force = Vector6d::Zero();
    force.head<3>() = world.hold.felt.on_hand.head<3>();
    Pose meant;
    meant.position = std::min(1.0, time / 0.3) * pressed_in * reach * direction_;
    hand_.advance(force, meant);
  }
  double speed() const noexcept { return hand_.speed().head<3>().norm(); }

 private:
  double scale_;
  Vector3d direction_;
  OperatorHand hand_;
};

struct Try {
  bool calm = true, touched = false;
};

// `stiffness`: at the device.
Try press(WorldData& world, const StaticCouplingSpec& own, double scale, const Vector3d& direction,
          double stiffness, double damping) {
  stages::reset(world);
  StaticCouplingSpec spec = own;
  spec.spring.force.stiffness = stiffness / scale;
  spec.damping = damping;
  spec.device_force = OperatorSpec{}.most_force;
  world.hold.coupling = StaticCoupling(spec, world.dt, world.hold.start);
  Arm arm(world, scale, direction);
  Try out;
  const auto cycles = static_cast<int>(try_seconds / world.dt);
  for (int n = 0; n < cycles; ++n) {
    arm.before(world);
    step(world);
    arm.after(world, n * world.dt);
    out.touched = out.touched || world.contact.counters.contacts > 0;
    if (!(arm.speed() < 10)) return {false, out.touched};
    if (n > 2 * cycles / 3 && arm.speed() > calm_speed) out.calm = false;
  }
  return out;
}

// How far it is through a body from places of its surface, straight in.
std::vector<double> thickness_of(const PointSet& surface, const ContactField& field) {
  constexpr Index count = 1000;
  Eigen::AlignedBox3f box;
  for (Index s = 0; s < surface.point_count(); ++s) box.extend(surface.rest_position(s));
  const float size = box.sizes().norm();
  // Places at random about the body, and where the surface is next to them.
  Random random(1);
  Matrix3Xf x(3, count), inwards(3, count);
  for (Index k = 0; k < count; ++k) {
    for (int i = 0; i < 3; ++i) {
      const float a = box.min()[i] - 0.05F * size, b = box.max()[i] + 0.05F * size;
      x(i, k) = a + (b - a) * static_cast<float>(random.uniform(0, 1));
    }
  }
  DistanceAnswers answers(count);
  const auto ask = [&] { std::visit([&](const auto& f) { query(f, x, answers); }, field.rest); };
  ask();
  for (Index k = 0; k < count; ++k) {
    if (std::isfinite(answers.error[k])) x.col(k) = answers.witness.col(k);
  }
  ask();
  for (Index k = 0; k < count; ++k) inwards.col(k) = -answers.gradient.col(k).normalized();
  const auto* grid = std::get_if<DistanceField>(&field.rest);
  const float first = grid != nullptr ? static_cast<float>(1.5 * grid->cell()) : 1e-3F * size;
  const float stride = 0.3F * first;
  std::vector<double> found(static_cast<std::size_t>(count), static_cast<double>(size));
  // Where no place of the surface was found nothing is measured.
  std::vector<bool> out(static_cast<std::size_t>(count), false);
  for (Index k = 0; k < count; ++k) {
    out[static_cast<std::size_t>(k)] = !(std::abs(answers.distance[k]) < first);
  }
  float way = first;
  for (Index k = 0; k < count; ++k) x.col(k) += first * inwards.col(k);
  for (; way < size; way += stride) {
    ask();
    for (Index k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (!out[at] && answers.distance[k] > 0) {
        out[at] = true;
        found[at] = static_cast<double>(way);
      }
      x.col(k) += stride * inwards.col(k);
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

CycleTimes time_stages(const TensorFile& asset) {
  const AssetHead head = read_asset_head(asset);
  WorldData world = make(asset, head);
  Vector3d direction = Vector3d::Zero();
  double way = 0;
  if (world.hold.body >= 0) {
    direction = where_to_press(world);
    way = pressed_in * span_of_held(world);
  }
  struct Stage {
    const char* name;
    void (*run)(WorldData&) noexcept;
    DurationHistogram times;
    double sum = 0;
    Stage(const char* n, void (*r)(WorldData&) noexcept) : name(n), run(r) {}
  };
  std::deque<Stage> all;
  all.emplace_back("wind and gravity", [](WorldData& w) noexcept {
    stages::wind(w);
    stages::clear_loads(w);
    stages::gravity(w);
  });
  all.emplace_back("pulls", [](WorldData& w) noexcept { stages::pulls(w); });
  all.emplace_back("contact", [](WorldData& w) noexcept { stages::contact(w); });
  all.emplace_back("hold", [](WorldData& w) noexcept { stages::hold(w); });
  all.emplace_back("steps of the bodies", [](WorldData& w) noexcept { stages::step(w); });
  DurationHistogram whole;
  CycleTimes out;
  for (int n = 0; n < measured_cycles; ++n) {
    if (world.hold.body >= 0) {
      const double t = 0.5 - 0.5 * std::cos(0.004 * n);
      move_hand(world, way * t * direction);
    } else if (n == 0) {
      std::uint8_t slot = 0;
      for (std::size_t b = 0; b < world.bodies.size() && slot < WorldState::slots; ++b) {
        const Body& body = world.bodies[b];
        const PointSet& surface = world.model_of(body).surface;
        Index top = 0;
        for (Index s = 1; s < surface.point_count(); ++s) {
          if (surface.position(body.motion, s)[1] > surface.position(body.motion, top)[1]) top = s;
        }
        const Vector3d to = surface.position(body.motion, top) +
                            0.1 * box_of(world, body).sizes().norm() * Vector3d(0.5, 1, 0);
        stages::take(world, command::Pull{.slot = slot,
                                          .body = static_cast<std::int32_t>(b),
                                          .point = static_cast<std::int32_t>(top),
                                          .target = to});
        if (world.pulls[slot].kind != PullState::Kind::none) ++slot;
      }
    }
    std::int64_t begin = MonotonicClock::now();
    const std::int64_t first = begin;
    for (Stage& stage : all) {
      stage.run(world);
      const std::int64_t end = MonotonicClock::now();
      stage.times.add(end - begin);
      stage.sum += static_cast<double>(end - begin);
      begin = end;
    }
    whole.add(begin - first);
    out.most_contacts = std::max(out.most_contacts, world.contact.counters.contacts);
  }
  for (const Stage& stage : all) {
    out.stages.push_back({stage.name, 1e-3 * stage.sum / measured_cycles,
                          1e-3 * static_cast<double>(stage.times.quantile(0.999))});
  }
  out.p50 = 1e-3 * static_cast<double>(whole.quantile(0.5));
  out.p999 = 1e-3 * static_cast<double>(whole.quantile(0.999));
  out.period = 1e6 * world.dt;
  return out;
}

std::optional<Stability> sweep_stiffness(const TensorFile& asset) {
  const AssetHead head = read_asset_head(asset);
  WorldData world = make(asset, head);
  const auto* coupling = std::get_if<StaticCoupling>(&world.hold.coupling);
  if (world.hold.body < 0 || coupling == nullptr) return std::nullopt;
  const StaticCouplingSpec spec = coupling->spec();
  const Vector3d direction = where_to_press(world);
  Stability out;
  out.scale = span_of_held(world) / reach;
  out.own = spec.spring.force.stiffness * out.scale;
  out.own_damping = spec.damping;
  const auto is_calm = [&](double stiffness, double damping) {
    const Try tried = press(world, spec, out.scale, direction, stiffness, damping);
    out.touches = out.touches || tried.touched;
    return tried.calm;
  };
  out.own_is_calm = is_calm(out.own, out.own_damping);

  std::vector<double> dampings{0, 0.25, 0.5, 0.75, 0.9};
  if (std::ranges::find(dampings, out.own_damping) == dampings.end()) {
    dampings.push_back(out.own_damping);
    std::ranges::sort(dampings);
  }
  out.map = {.title = fmt::format("Stiffness that a simulated hand bears at {:g} Hz", head.rate),
             .x_label = "static damping (handle.damping)",
             .y_label = "at the device [N/m]",
             .x = {},
             .y = {},
             .kind = {},
             .kinds = {{"calm", "#4f9d69"}, {"swings", "#c2554d"}}};
  for (const double damping : dampings) out.map.x.push_back(fmt::format("{:g}", damping));
  double nearest = 1e9;
  for (int row = 0; row <= 10; ++row) {
    const double stiffness = 100 * std::pow(10.0, row / 2.5);  // to 1e6 N/m
    out.map.y.push_back(fmt::format("{:.3g}", stiffness));
    const double off = std::abs(std::log(stiffness / out.own));
    if (off < nearest) {
      nearest = off;
      out.map.marked_y = row;
    }
    for (std::size_t c = 0; c < dampings.size(); ++c) {
      const bool calm = is_calm(stiffness, dampings[c]);
      out.map.kind.push_back(calm ? 0 : 1);
      if (dampings[c] == out.own_damping) out.map.marked_x = static_cast<int>(c);
      if (!calm) continue;
      if (dampings[c] == out.own_damping) out.stiffest = std::max(out.stiffest, stiffness);
      if (stiffness > out.stiffest_at_all) {
        out.stiffest_at_all = stiffness;
        out.best_damping = dampings[c];
      }
    }
  }
  return out;
}

std::string why_no_sweep(const TensorFile& asset) {
  const AssetHead head = read_asset_head(asset);
  const WorldData world = make(asset, head);
  if (world.hold.body < 0) return "no hand holds a body: give the scene a [handle]";
  return std::visit(
      Match{[](const NoCoupling&) {
              return "there is no spring: the [handle] says `coupling = \"none\"`";
            },
            [](const DynamicCoupling&) {
              return "only hands that hold by `coupling = \"static\"` or `\"coupled\"` are tried";
            },
            [](const CarryingSpring&) {
              return "only hands that put their body somewhere are tried: this one carries a body "
                     "that moves by itself";
            },
            [](const StaticCoupling&) { return ""; }},
      world.hold.coupling);
}

std::optional<PopThrough> find_pop_through(const TensorFile& asset) {
  const AssetHead head = read_asset_head(asset);
  const WorldData world = make(asset, head);
  if (world.hold.body < 0 || !world.contact.on) return std::nullopt;
  const auto* coupling = std::get_if<StaticCoupling>(&world.hold.coupling);
  if (coupling == nullptr) return std::nullopt;
  const auto held =
      static_cast<std::size_t>(world.bodies[static_cast<std::size_t>(world.hold.body)].model);
  const std::size_t n = world.models.size();
  PopThrough out;
  out.thickness = std::numeric_limits<double>::infinity();
  double stiffness = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < n; ++m) {
    for (const bool feels : {true, false}) {  // the held body is the field, or the other is
      const ContactRule& rule = world.contact.rules[feels ? m * n + held : held * n + m];
      if (!rule.used) continue;
      const std::size_t of = feels ? held : m;
      const std::vector<double> through =
          thickness_of(world.models[of].surface, *world.contact.models[of].field);
      const double thin = through[through.size() / 20];
      stiffness = std::min(stiffness, rule.penalty.stiffness * rule.penalty.limit);
      if (thin < out.thickness) {
        out.thickness = thin;
        out.thinnest = world.models[of].name;
      }
    }
  }
  if (!std::isfinite(out.thickness)) return std::nullopt;
  out.pressed = coupling->spec().spring.force.limit / stiffness;
  out.step_limit = coupling->spec().most_speed * world.dt;
  // Beyond its middle a place is pushed out on the other side.
  out.speed = (0.5 * out.thickness - out.pressed) / world.dt;
  return out;
}

}  // namespace pliant::app
