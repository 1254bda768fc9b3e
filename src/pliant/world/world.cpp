// SPDX-License-Identifier: MIT
#include "pliant/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "pliant/base/error.hpp"
#include "pliant/base/queue.hpp"
#include "pliant/world/free_reduced_body.hpp"
#include "pliant/world/full_body.hpp"
#include "pliant/world/reduced_body.hpp"
#include "pliant/world/rigid_body.hpp"

namespace pliant {
namespace {

constexpr std::size_t waiting_commands = 1024;
constexpr int commands_a_step = 64;         // bounded work: the others wait for the next step
constexpr double snapshots_a_second = 120;  // of steps of the loop
constexpr int wind_parts = 64;              // of the surface; one is looked at in each step
constexpr double air_density = 1.2;         // kg/m^3
// A spring at a hand acts on the next step only: above a part of m / dt^2 it would swing up.
constexpr double stiffest_pull = 0.1;
// So much stiffer than the body is the spring that suits it: the point goes nearly where the hand
// is.
constexpr double pull_over_body = 5.0;

using Body = std::variant<ReducedBody, FreeReducedBody, FullBody, RigidBody>;

Body make_body(const TensorFile& asset, const AssetBody& body, double dt) {
  switch (body.engine) {
    case Engine::reduced: {
      const ReducedAsset reduced = ReducedAsset::read(asset, body.tensor("reduced/"));
      if (body.free) return FreeReducedBody(asset, body, reduced, dt);
      return ReducedBody(asset, body, reduced, dt);
    }
    case Engine::full:
      return FullBody(asset, body, dt);
    case Engine::rigid:
      break;
  }
  return RigidBody(asset, body);
}

// A third of the area of its triangles belongs to each point.
VectorXd point_areas(const TensorFile& asset, const AssetBody& body) {
  const auto X = asset.matrix<float>(body.tensor("shape/X"), 3);
  const auto triangles = asset.matrix<int>(body.tensor("surface/triangles"), 3);
  VectorXd areas = VectorXd::Zero(X.cols());
  for (Index t = 0; t < triangles.cols(); ++t) {
    const Vector3i c = triangles.col(t);
    if (c.minCoeff() < 0 || c.maxCoeff() >= X.cols()) {
      throw Error({asset.name(), 0, body.tensor("surface/triangles")},
                  "a point that does not exist", std::to_string(c.maxCoeff()),
                  "less than " + std::to_string(X.cols()));
    }
    const Vector3d a = X.col(c[0]).cast<double>(), b = X.col(c[1]).cast<double>(),
                   d = X.col(c[2]).cast<double>();
    const double third = (b - a).cross(d - a).norm() / 6;
    for (const int corner : c) areas[corner] += third;
  }
  return areas;
}

struct BodyEntry {
  std::string name;
  Body body;
  double omega;    // of the first mode [rad/s]; 0: not known
  VectorXd areas;  // of the points [m^2]
  bool windy = false;
};

}  // namespace

struct World::Impl {
  explicit Impl(const TensorFile& asset)
      : head(read_asset_head(asset)), commands(waiting_commands) {
    dt = 1 / head.rate;
    publish_every = std::max<std::int64_t>(1, std::lround(head.rate / snapshots_a_second));
    for (const AssetBody& body : head.bodies) {
      const double first = body.frequencies.empty() ? 0.0 : body.frequencies.front();
      BodyEntry entry{body.name, make_body(asset, body, dt), 2 * std::numbers::pi * first,
                      point_areas(asset, body)};
      bodies.push_back(std::move(entry));
    }
    reset();
  }

  // --- commands

  bool on_body(const Command& c) const {
    return c.body >= 0 && c.body < static_cast<int>(bodies.size());
  }
  bool on_point(const Command& c) const {
    return on_body(c) && c.index >= 0 && c.slot < WorldState::slots && c.vector.allFinite() &&
           c.index < std::visit([](const auto& b) { return b.point_count(); }, of(c).body);
  }
  BodyEntry& of(const Command& c) { return bodies[static_cast<std::size_t>(c.body)]; }
  const BodyEntry& of(const Command& c) const { return bodies[static_cast<std::size_t>(c.body)]; }

  double pull_stiffness(const BodyEntry& entry, int point, double wanted) const {
    const double mass =
        std::visit([&](const auto& b) { return b.effective_mass(point); }, entry.body);
    if (!std::isfinite(mass)) return 0.0;
    const double most = stiffest_pull * mass / (dt * dt);
    const double suits = entry.omega > 0 ? pull_over_body * mass * entry.omega * entry.omega : most;
    return std::min(wanted > 0 ? wanted : suits, most);
  }

  bool apply(const Command& c) noexcept {
    const auto finite = [](double x) { return std::isfinite(x); };
    switch (c.kind) {
      case Command::Kind::pull: {
        if (!on_point(c) || !finite(c.values[0]) || c.values[0] < 0) return false;
        PullState& pull = pulls[c.slot];
        const bool moved =
            pull.kind == PullState::Kind::spring && pull.body == c.body && pull.point == c.index;
        pull.kind = PullState::Kind::spring;
        pull.body = c.body;
        pull.point = c.index;
        pull.target = c.vector;
        if (!moved) pull.stiffness = pull_stiffness(of(c), c.index, c.values[0]);
        return true;
      }
      case Command::Kind::force: {
        if (!on_point(c)) return false;
        pulls[c.slot] = {
            .kind = PullState::Kind::force, .body = c.body, .point = c.index, .force = c.vector};
        return true;
      }
      case Command::Kind::release:
        if (c.slot >= WorldState::slots) return false;
        pulls[c.slot] = {};
        return true;
      case Command::Kind::material:
        return on_body(c) && finite(c.values[0]) && c.values[1] > 0 && finite(c.values[1]) &&
               c.values[2] > 0 && finite(c.values[2]) &&
               3 * c.values[0] + 2 * c.values[1] > 0 &&  // bulk modulus
               std::visit(
                   [&](auto& b) {
                     return b.set_material(c.index, c.values[0], c.values[1], c.values[2]);
                   },
                   of(c).body);
      case Command::Kind::damping:
        return on_body(c) && c.values[0] >= 0 && finite(c.values[0]) && c.values[1] >= 0 &&
               finite(c.values[1]) &&
               std::visit(
                   [&](auto& b) {
                     return b.set_damping(Damping{c.values[0], c.values[1]});
                   },
                   of(c).body);
      case Command::Kind::active:
        return on_body(c) && std::visit([&](auto& b) { return b.set_active(c.index); }, of(c).body);
      case Command::Kind::linear:
        return on_body(c) &&
               std::visit([&](auto& b) { return b.set_linear(c.index != 0); }, of(c).body);
      case Command::Kind::gravity:
        if (!c.vector.allFinite()) return false;
        gravity = c.vector;
        return true;
      case Command::Kind::wind:
        if (!c.vector.allFinite()) return false;
        wind.velocity = c.vector;
        return true;
      case Command::Kind::pause:
        paused = c.index != 0;
        return true;
      case Command::Kind::advance:
        if (c.index < 0) return false;
        owed += c.index;
        return true;
      case Command::Kind::speed:
        if (!(c.values[0] > 0 && c.values[0] <= 1)) return false;
        speed = c.values[0];
        return true;
      case Command::Kind::reset:
        reset();
        return true;
    }
    return false;
  }

  void reset() noexcept {
    gravity = head.gravity;
    wind = head.wind.value_or(WindSpec{});
    for (BodyEntry& entry : bodies) std::visit([](auto& b) { b.reset(); }, entry.body);
    pulls.fill({});
    step_count = 0;
    owed = 0;
    saved_up = 0.0;
  }

  // --- what acts

  // Every step looks at a part of the points; when all were seen, their forces act until all were
  // seen again. So the work of a step is bounded, and small.
  void blow(BodyEntry& entry) noexcept {
    if (wind.velocity.isZero(0.0)) {
      if (!entry.windy) return;
      for (int i = 0; i < 2; ++i) std::visit([](auto& b) { b.renew_slow_forces(); }, entry.body);
      entry.windy = false;
      return;
    }
    entry.windy = true;
    const double t = static_cast<double>(step_count) * dt;
    const Vector3d velocity =
        wind.velocity * (1 + wind.gust * std::sin(2 * std::numbers::pi * t / wind.gust_period));
    const Index points = entry.areas.size(), part = step_count % wind_parts;
    std::visit(
        [&](auto& b) {
          for (Index s = points * part / wind_parts; s < points * (part + 1) / wind_parts; ++s) {
            const int point = static_cast<int>(s);
            const Vector3d n = b.normal(point);
            const double v = (velocity - b.velocity(point)).dot(n);
            if (v >= 0) continue;  // the lee
            b.add_slow_force(point, -0.5 * wind.drag * air_density * v * v * entry.areas[s] * n);
          }
          if (part == wind_parts - 1) b.renew_slow_forces();
        },
        entry.body);
  }

  void pull(PullState& pull) noexcept {
    if (pull.kind == PullState::Kind::none) return;
    std::visit(
        [&](auto& b) {
          pull.at = b.position(pull.point);
          if (pull.kind == PullState::Kind::spring) {
            // Critically damped with the mass of the point, as far as the step allows.
            const double k = pull.stiffness;
            if (b.hold(pull.point, k, pull.target)) {
              pull.force = k * (pull.target - pull.at);
              return;
            }
            const double d = 2 * std::sqrt(k * std::min(b.effective_mass(pull.point), 1e300));
            pull.force = k * (pull.target - pull.at);
            if (std::isfinite(d)) pull.force -= 0.5 * d * b.velocity(pull.point);
          }
          b.add_force(pull.point, pull.force);
        },
        bodies[static_cast<std::size_t>(pull.body)].body);
  }

  StepStatus advance() noexcept {
    StepStatus status = StepStatus::ok;
    for (BodyEntry& entry : bodies) {
      blow(entry);
      std::visit(
          [&](auto& b) {
            b.clear_forces();
            b.add_gravity(gravity);
          },
          entry.body);
    }
    for (PullState& hand : pulls) pull(hand);
    for (BodyEntry& entry : bodies) {
      status |= std::visit([](auto& b) { return b.step(); }, entry.body);
    }
    ++step_count;
    return status;
  }

  // How many steps are due in this cycle: one, none while paused, a part of one when slowed down.
  bool due() noexcept {
    if (owed > 0) {
      --owed;
      return true;
    }
    if (paused) return false;
    saved_up += speed;
    if (saved_up < 1) return false;
    saved_up -= 1;
    return true;
  }

  void write(WorldState& out) const noexcept {
    out.step = step_count;
    out.time = static_cast<double>(step_count) * dt;
    out.paused = paused;
    out.speed = speed;
    out.gravity = gravity;
    out.wind = wind.velocity;
    out.pulls = pulls;
    out.last_status = last_status;
    out.status_counts = status_counts;
    out.refused_commands = refused;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      std::visit([&](const auto& body) { body.write(out.bodies[b]); }, bodies[b].body);
    }
  }

  AssetHead head;
  double dt = 1e-3;
  std::int64_t publish_every = 1;
  std::vector<BodyEntry> bodies;
  Vector3d gravity = Vector3d::Zero();
  WindSpec wind;
  std::array<PullState, WorldState::slots> pulls;
  std::int64_t step_count = 0, cycle_count = 0, owed = 0, refused = 0;
  double speed = 1.0, saved_up = 0.0;
  bool paused = false;
  StepStatus last_status = StepStatus::ok;
  std::array<std::int64_t, WorldState::status_bits> status_counts{};
  Queue<Command> commands;
  std::unique_ptr<Snapshot<WorldState>> snapshots;
};

World::World(const TensorFile& asset) : impl_(std::make_unique<Impl>(asset)) {
  impl_->snapshots = std::make_unique<Snapshot<WorldState>>(make_state());
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

double World::dt() const {
  return impl_->dt;
}
int World::body_count() const {
  return static_cast<int>(impl_->bodies.size());
}
const AssetHead& World::head() const {
  return impl_->head;
}
int World::point_count(int body) const {
  return std::visit([](const auto& b) { return b.point_count(); },
                    impl_->bodies[static_cast<std::size_t>(body)].body);
}
Vector3d World::position(int body, int point) const noexcept {
  return std::visit([&](const auto& b) { return b.position(point); },
                    impl_->bodies[static_cast<std::size_t>(body)].body);
}

const VectorXd* World::nodal_displacement(int body) const noexcept {
  const auto* full = std::get_if<FullBody>(&impl_->bodies[static_cast<std::size_t>(body)].body);
  return full ? &full->nodal_displacement() : nullptr;
}

const ReducedModel* World::reduced_model(int body) const {
  const Body& own = impl_->bodies[static_cast<std::size_t>(body)].body;
  if (const auto* reduced = std::get_if<ReducedBody>(&own)) return &reduced->model();
  if (const auto* reduced = std::get_if<FreeReducedBody>(&own)) return &reduced->model();
  return nullptr;
}

double World::pull_stiffness(int body, int point) const noexcept {
  return impl_->pull_stiffness(impl_->bodies[static_cast<std::size_t>(body)], point, 0.0);
}

void World::apply(const Command& command) noexcept {
  if (!impl_->apply(command)) ++impl_->refused;
}

StepStatus World::step() noexcept {
  Command command;
  for (int i = 0; i < commands_a_step && impl_->commands.pop(command); ++i) apply(command);
  StepStatus status = StepStatus::ok;
  if (impl_->due()) {
    status = impl_->advance();
    impl_->last_status = status;
    for (int bit = 0; bit < WorldState::status_bits; ++bit) {
      const bool set = has(status, static_cast<StepStatus>(1u << bit));
      impl_->status_counts[static_cast<std::size_t>(bit)] += set ? 1 : 0;
    }
  }
  if (++impl_->cycle_count % impl_->publish_every == 0) {
    impl_->write(impl_->snapshots->back());
    impl_->snapshots->publish();
  }
  return status;
}

void World::state(WorldState& out) const noexcept {
  impl_->write(out);
}

WorldState World::make_state() const {
  WorldState state;
  for (const BodyEntry& entry : impl_->bodies) {
    BodyState body_state;
    std::visit(
        [&](const auto& body) {
          if constexpr (requires { body.size(); }) body_state.c.setZero(body.size());
        },
        entry.body);
    if (const auto* full = std::get_if<FullBody>(&entry.body)) {
      body_state.displacement.setZero(3, full->point_count());
    }
    state.bodies.push_back(std::move(body_state));
  }
  impl_->write(state);
  return state;
}

bool World::post(const Command& command) noexcept {
  return impl_->commands.push(command);
}
Snapshot<WorldState>& World::snapshots() {
  return *impl_->snapshots;
}

}  // namespace pliant
