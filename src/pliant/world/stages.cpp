// SPDX-License-Identifier: MIT
#include "pliant/world/stages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "pliant/world/constraint_stage.hpp"
#include "pliant/world/contact_stage.hpp"

namespace pliant::stages {
namespace {

constexpr int wind_parts = 64;              // of the surface; one is looked at in each step
constexpr double air_density = 1.2;         // kg/m^3
constexpr std::int64_t most_owed = 10'000;  // steps that were asked for and not made
constexpr double half_critical = 0.5;       // of the damper beside the spring

bool finite(const Vector3d& v) {
  return v.allFinite();
}

class Obedience {
 public:
  explicit Obedience(WorldData& world) : world_(world) {}

  Refusal operator()(const command::Reset&) const noexcept {
    reset(world_);
    return Refusal::none;
  }
  Refusal operator()(const command::Pull& c) const noexcept {
    const Vector3d target = c.target;
    if (const Refusal refusal = on_point(c); refusal != Refusal::none) return refusal;
    if (!finite(target) || !std::isfinite(c.stiffness) || c.stiffness < 0) {
      return Refusal::out_of_range;
    }
    PullState& pull = world_.pulls[c.slot];
    BodyModel& model = world_.model_of(body(c.body));
    const double wanted = c.stiffness > 0 ? c.stiffness : model.hand.suits;
    const bool moved = pull.kind == PullState::Kind::spring && pull.body == c.body &&
                       pull.point == c.point && pull.wanted == wanted;
    pull.kind = PullState::Kind::spring;
    pull.body = c.body;
    pull.point = c.point;
    pull.target = target;
    if (moved) return Refusal::none;
    const double mobility = mobility_of(model, body(c.body).motion, c.point);
    pull.wanted = wanted;
    pull.stiffness = mobility > 0 ? std::min(wanted, stiffest_hand(model, mobility)) : 0.0;
    pull.damping = mobility > 0 ? half_critical * 2 * std::sqrt(pull.stiffness / mobility) : 0.0;
    return Refusal::none;
  }
  Refusal operator()(const command::Force& c) const noexcept {
    const Vector3d force = c.force;
    if (const Refusal refusal = on_point(c); refusal != Refusal::none) return refusal;
    if (!finite(force)) return Refusal::out_of_range;
    world_.pulls[c.slot] = {
        .kind = PullState::Kind::force, .body = c.body, .point = c.point, .force = force};
    return Refusal::none;
  }
  Refusal operator()(const command::Release& c) const noexcept {
    if (c.slot >= WorldState::slots) return Refusal::no_slot;
    world_.pulls[c.slot] = {};
    return Refusal::none;
  }
  Refusal operator()(const command::Material& c) const noexcept {
    const RegionConstants& k = c.constants;
    return edit(c.body, &Edits::material, [&](BodyModel& model) {
      if (!std::isfinite(k.lambda) || !std::isfinite(k.mu) || !std::isfinite(k.density) ||
          !(k.density > 0)) {
        return false;
      }
      return model.ops->set_material(model.model.get(), c.region, k);
    });
  }
  Refusal operator()(const command::ChangeDamping& c) const noexcept {
    return edit(c.body, &Edits::damping, [&](BodyModel& model) {
      return model.ops->set_damping(model.model.get(), Damping{c.alpha, c.beta});
    });
  }
  Refusal operator()(const command::Active& c) const noexcept {
    return edit(c.body, &Edits::active, [&](BodyModel& model) {
      return model.ops->set_active(model.model.get(), c.count);
    });
  }
  Refusal operator()(const command::Linear& c) const noexcept {
    return tell(c.body, &Edits::linear, [&](BodyModel& model, Body& own) {
      return model.ops->set_linear(model.model.get(), own.state.get(), c.on);
    });
  }
  Refusal operator()(const command::Move& c) const noexcept {
    const Vector3d position = c.position;
    const Eigen::Quaterniond q(c.rotation[0], c.rotation[1], c.rotation[2], c.rotation[3]);
    const double size = q.norm();
    const bool sound = finite(position) && std::isfinite(size) && size > 0;
    const Pose pose{position, sound ? Eigen::Quaterniond(q.coeffs() / size) : q};
    if (c.body >= 0 && c.body == world_.hold.body) {  // the hand goes there, and pulls it along
      if (!sound) return Refusal::out_of_range;
      world_.hold.target = grasped(world_.hold, pose);
      world_.hold.let_go = false;
      return Refusal::none;
    }
    return tell(c.body, &Edits::pose, [&](BodyModel& model, Body& own) {
      return sound && model.ops->set_pose(model.model.get(), own.state.get(), pose);
    });
  }
  Refusal operator()(const command::Handle& c) const noexcept {
    if (world_.hold.body < 0) return Refusal::no_handle;
    return (*this)(command::Move{world_.hold.body, c.position, c.rotation});
  }
  Refusal operator()(const command::Workspace& c) const noexcept {
    if (world_.hold.body < 0) return Refusal::no_handle;
    if (!(c.scale >= 1e-6 && c.scale <= 1e6)) return Refusal::out_of_range;
    world_.device_control = {.scale = c.scale, .indexing = c.indexing};
    return Refusal::none;
  }
  Refusal operator()(const command::Grasp& c) const noexcept {
    if (world_.hold.body < 0) return Refusal::no_handle;
    const Vector3d point = c.point;
    if (!finite(point)) return Refusal::out_of_range;
    grasp_at(world_, point);
    return Refusal::none;
  }
  Refusal operator()(const command::LetGo&) const noexcept {
    if (world_.hold.body < 0) return Refusal::no_handle;
    Hold& own = world_.hold;
    own.target = grasped(own, body(own.body).motion.pose);
    // One that is carried would fall.
    own.let_go = !std::holds_alternative<CarryingSpring>(own.coupling);
    return Refusal::none;
  }
  Refusal operator()(const command::Grip& c) const noexcept {
    if (world_.hold.body < 0) return Refusal::no_handle;
    if (world_.hold.fingers.empty()) return Refusal::not_able;
    if (!(c.opening >= 0 && c.opening <= 1)) return Refusal::out_of_range;
    world_.hold.target_opening = c.opening;
    return Refusal::none;
  }
  Refusal operator()(const command::Control& c) const noexcept {
    for (const double x : c.motion) {
      if (!std::isfinite(x)) return Refusal::out_of_range;
    }
    return tell(c.body, &Edits::control, [&](BodyModel& model, Body& own) {
      return model.ops->set_control(model.model.get(), own.state.get(), c.element, c.motion);
    });
  }
  Refusal operator()(const command::Gravity& c) const noexcept {
    return set_vector(c.vector, world_.gravity);
  }
  Refusal operator()(const command::Wind& c) const noexcept {
    return set_vector(c.velocity, world_.wind.velocity);
  }
  Refusal operator()(const command::Pause& c) const noexcept {
    world_.paused = c.on;
    if (c.on) world_.owed = 0;
    return Refusal::none;
  }
  Refusal operator()(const command::Advance& c) const noexcept {
    if (c.steps < 0) return Refusal::out_of_range;
    if (world_.owed + c.steps > most_owed) return Refusal::too_many;
    world_.owed += c.steps;
    return Refusal::none;
  }
  Refusal operator()(const command::Speed& c) const noexcept {
    if (!(c.factor > 0 && c.factor <= 1)) return Refusal::out_of_range;
    world_.speed = c.factor;
    return Refusal::none;
  }

 private:
  Body& body(int index) const { return world_.bodies[static_cast<std::size_t>(index)]; }
  bool has_body(int index) const {
    return index >= 0 && index < static_cast<int>(world_.bodies.size());
  }

  template <class OnPoint>
  Refusal on_point(const OnPoint& c) const noexcept {
    if (c.slot >= WorldState::slots) return Refusal::no_slot;
    if (!has_body(c.body)) return Refusal::no_body;
    const PointSet& surface = world_.model_of(body(c.body)).surface;
    return c.point >= 0 && c.point < surface.point_count() ? Refusal::none : Refusal::no_point;
  }

  static Refusal set_vector(const Vector3d& from, Vector3d& to) noexcept {
    if (!finite(from)) return Refusal::out_of_range;
    to = from;
    return Refusal::none;
  }

  // No worker steps the body, or it is waited for.
  bool free_to_edit(Body& own) const noexcept {
    if (!own.divided || own.divided->at_rest()) return true;
    if (!world_.wait) return false;
    own.divided->wait();
    return true;
  }

  // Of a model: all its bodies follow.
  template <class Change>
  Refusal edit(int index, bool Edits::*ability, const Change& change) const noexcept {
    if (!has_body(index)) return Refusal::no_body;
    const int of = body(index).model;
    BodyModel& model = world_.models[static_cast<std::size_t>(of)];
    if (!(model.edits.*ability)) return Refusal::not_able;
    for (Body& other : world_.bodies) {
      if (other.model == of && !free_to_edit(other)) return Refusal::busy;
    }
    if (!change(model)) return Refusal::out_of_range;
    for (Body& other : world_.bodies) {
      if (other.model != of) continue;
      model.ops->adapt(model.model.get(), other.state.get());
      refresh(model, other);
    }
    forget_contact(world_);
    return Refusal::none;
  }

  // Of one body.
  template <class Change>
  Refusal tell(int index, bool Edits::*ability, const Change& change) const noexcept {
    if (!has_body(index)) return Refusal::no_body;
    Body& own = body(index);
    BodyModel& model = world_.model_of(own);
    if (!(model.edits.*ability)) return Refusal::not_able;
    if (!free_to_edit(own)) return Refusal::busy;
    if (!change(model, own)) return Refusal::out_of_range;
    refresh(model, own);
    return Refusal::none;
  }

  static void refresh(const BodyModel& model, Body& own) noexcept {
    model.ops->settings(model.model.get(), own.state.get(), own.settings);
  }

  WorldData& world_;
};

std::int32_t body_of(const Command& command) noexcept {
  return std::visit(
      [](const auto& c) -> std::int32_t {
        if constexpr (requires { c.body; }) return c.body;
        return -1;
      },
      command);
}

void swap_loads(Load& a, Load& b) noexcept {
  std::swap(a.force, b.force);
  std::swap(a.torque, b.torque);
  a.Q.swap(b.Q);
}

void renew_slow_loads(Body& body) noexcept {
  swap_loads(body.slow, body.next_slow);
  body.next_slow.set_zero();
}

void blow(const WorldData& world, const Vector3d& velocity, Body& body) noexcept {
  const BodyModel& model = world.model_of(body);
  const Index points = model.areas.size(), part = world.step_count % wind_parts;
  for (Index s = points * part / wind_parts; s < points * (part + 1) / wind_parts; ++s) {
    const Vector3d n = model.surface.normal(body.motion, s);
    const double v = (velocity - model.surface.velocity(body.motion, s)).dot(n);
    if (v >= 0) continue;  // the lee
    const Vector3d f = -0.5 * world.wind.drag * air_density * v * v * model.areas[s] * n;
    model.surface.add_force(body.motion, s, f, body.next_slow);
  }
  if (part == wind_parts - 1) renew_slow_loads(body);
}

}  // namespace

Refusal obey(WorldData& world, const Command& command) noexcept {
  return std::visit(Obedience(world), command);
}

void take(WorldData& world, const Command& command) noexcept {
  const Refusal refusal = obey(world, command);
  if (refusal == Refusal::none) return;
  const std::int64_t number = ++world.refused;
  world.refusals[static_cast<std::size_t>(number % WorldState::kept_refusals)] = {
      number, static_cast<std::uint8_t>(command.index()), body_of(command), refusal};
}

bool due(WorldData& world) noexcept {
  if (world.owed > 0) {
    --world.owed;
    return true;
  }
  if (world.paused) return false;
  world.saved_up += world.speed;
  if (world.saved_up < 1) return false;
  world.saved_up -= 1;
  return true;
}

void clear_loads(WorldData& world) noexcept {
  for (Body& body : world.bodies) {
    body.load.set_zero();
    body.load.add(body.slow);
  }
}

void gravity(WorldData& world) noexcept {
  if (world.gravity.isZero(0.0)) return;
  for (Body& body : world.bodies) {
    const BodyModel& model = world.model_of(body);
    model.ops->add_gravity(model.model.get(), body.motion, world.gravity, body.load);
  }
}

void wind(WorldData& world) noexcept {
  const WindSpec& wind = world.wind;
  const double t = static_cast<double>(world.step_count) * world.dt;
  const Vector3d velocity =
      wind.velocity * (1 + wind.gust * std::sin(2 * std::numbers::pi * t / wind.gust_period));
  for (Body& body : world.bodies) {
    if (!wind.velocity.isZero(0.0)) {
      body.windy = true;
      blow(world, velocity, body);
    } else if (body.windy) {
      body.windy = false;
      body.slow.set_zero();
      body.next_slow.set_zero();
    }
  }
}

void pulls(WorldData& world) noexcept {
  for (PullState& pull : world.pulls) {
    if (pull.kind == PullState::Kind::none) continue;
    Body& body = world.bodies[static_cast<std::size_t>(pull.body)];
    const BodyModel& model = world.model_of(body);
    pull.at = model.surface.position(body.motion, pull.point);
    if (pull.kind == PullState::Kind::spring) {
      const Vector3d velocity = model.surface.velocity(body.motion, pull.point);
      pull.force = pull.stiffness * (pull.target - pull.at) - pull.damping * velocity;
      if (model.edits.tangent && !body.divided) {
        model.surface.add_spring(body.motion, pull.point, pull.stiffness, pull.damping, body.load);
      }
    }
    model.surface.add_force(body.motion, pull.point, pull.force, body.load);
  }
}

void one_by_one(int count, void (*body)(void* context, int i) noexcept, void* context) noexcept {
  for (int i = 0; i < count; ++i) body(context, i);
}

StepStatus step(WorldData& world, ForEach for_each) noexcept {
  constrained_step(world);
  for_each(
      static_cast<int>(world.bodies.size()),
      [](void* context, int i) noexcept {
        auto& w = *static_cast<WorldData*>(context);
        Body& body = w.bodies[static_cast<std::size_t>(i)];
        const BodyModel& model = w.model_of(body);
        if (body.constrained) return;
        if (body.divided) {
          body.status = body.divided->step(w.step_count, body.load, w.wait, body.motion);
          return;
        }
        body.status = model.ops->step(model.model.get(), body.load, body.state.get());
        if (!see_motion(*model.ops, model.model.get(), body.state.get(), body.motion)) {
          body.status |= StepStatus::not_finite;
        }
      },
      &world);
  StepStatus status = StepStatus::ok;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const StepStatus own = world.bodies[b].status;
    if (own == StepStatus::ok) continue;
    status |= own;
    world.fault = {own, static_cast<std::int32_t>(b), world.step_count};
  }
  ++world.step_count;
  world.last_status = status;
  for (int bit = 0; bit < WorldState::status_bits; ++bit) {
    const bool set = has(status, static_cast<StepStatus>(1u << bit));
    world.status_counts[static_cast<std::size_t>(bit)] += set ? 1 : 0;
  }
  return status;
}

void publish(WorldData& world, WorldState& out) noexcept {
  out.step = world.step_count;
  out.time = static_cast<double>(world.step_count) * world.dt;
  out.paused = world.paused;
  out.speed = world.speed;
  out.gravity = world.gravity;
  out.wind = world.wind.velocity;
  out.pulls = world.pulls;
  out.hold.body = world.hold.body;
  if (world.hold.body >= 0) {
    const Hold& hold = world.hold;
    out.hold.grasp = hold.grasp;
    out.hold.hand = frame_of(hold, hold.hand);
    out.hold.felt = hold.felt;
    out.hold.most_force = hold.most_force;
    out.hold.device = world.device;
  }
  out.last_status = world.last_status;
  out.status_counts = world.status_counts;
  out.fault = world.fault;
  out.refused_commands = world.refused;
  out.refusals = world.refusals;
  out.contacts.assign(world.contact.report);
  out.contact = world.contact.counters;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    Body& body = world.bodies[b];
    const BodyModel& model = world.model_of(body);
    BodyState& state = out.bodies[b];
    state.pose = body.motion.pose;
    state.c = body.motion.c;
    state.settings = body.settings;
    if (!body.divided) {  // a worker may be at the state
      for (std::size_t i = 0; i < state.controls.size(); ++i) {
        model.ops->control(model.model.get(), body.state.get(), static_cast<int>(i),
                           state.controls[i]);
      }
      if (state.image.taxels.size() > 0) {
        model.ops->image(model.model.get(), body.state.get(), state.image);
      }
    }
    if (world.contact.on) {
      state.contact_force = world.contact.bodies[b].force;
      state.contact_torque = world.contact.bodies[b].torque;
    }
    // A worker may be at the state: what was true when it began.
    state.energy = body.divided ? body.divided->energy()
                                : model.ops->energy(model.model.get(), body.state.get());
    // Coefficients that can be held may have an energy that cannot.
    if (!std::isfinite(state.energy.kinetic + state.energy.elastic)) {
      out.last_status |= StepStatus::not_finite;
    }
  }
}

void reset(WorldData& world) noexcept {
  world.gravity = world.gravity_at_start;
  world.wind = world.wind_at_start;
  for (Body& body : world.bodies) {
    const BodyModel& model = world.model_of(body);
    for (Load* load : {&body.load, &body.slow, &body.next_slow}) load->set_zero();
    body.windy = false;
    if (body.divided) {
      if (world.wait) body.divided->wait();
      body.divided->reset(body.motion);
      body.motion.c.setZero();
      body.motion.dc.setZero();
      continue;
    }
    model.ops->reset(model.model.get(), body.state.get());
    model.ops->motion(model.model.get(), body.state.get(), body.motion);
  }
  forget_contact(world);
  world.pulls.fill({});
  reset_hold(world);
  world.step_count = 0;
  world.owed = 0;
  world.saved_up = 0.0;
}

double pull_stiffness(WorldData& world, int index, int point, double wanted) noexcept {
  Body& body = world.bodies[static_cast<std::size_t>(index)];
  BodyModel& model = world.model_of(body);
  const double mobility = mobility_of(model, body.motion, point);
  if (!(mobility > 0)) return 0.0;
  return std::min(wanted > 0 ? wanted : model.hand.suits, stiffest_hand(model, mobility));
}

}  // namespace pliant::stages
