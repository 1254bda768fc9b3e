// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <new>

#include "pliant/base/error.hpp"
#include "pliant/world/world_data.hpp"

namespace pliant {
namespace {

constexpr double rate_rounding = 1e-6;  // of the quotient of two rates

const EngineOps& engine_of(const TensorView& asset, const AssetBody& body, EngineList engines) {
  if (const EngineOps* ops = find_engine(engines, body.engine)) return *ops;
  std::string names;
  for (const EngineOps* ops : engines) {
    names += (names.empty() ? "" : ", ") + std::string(ops->facts.name);
  }
  throw Error({asset.name(), 0, "body " + body.name}, "this program does not have its engine",
              printable(body.engine), names);
}

int divider_of(const TensorView& asset, const AssetBody& body, double rate) {
  if (!body.rate) return 1;
  const double quotient = rate / *body.rate, whole = std::round(quotient);
  if (!(whole >= 1 && whole <= 1e6) || std::abs(quotient - whole) > rate_rounding * whole) {
    throw Error({asset.name(), 0, "body " + body.name},
                "its rate does not go into the world's a whole number of times",
                std::to_string(*body.rate), "a whole part of " + std::to_string(rate) + " Hz");
  }
  return static_cast<int>(whole);
}

BodyModel build_model(const TensorView& asset, const AssetBody& body, const EngineOps& ops,
                      double rate) {
  const int divider = divider_of(asset, body, rate);
  const double dt = divider / rate;
  EngineOps::Handle model = ops.model({.tensors = asset,
                                       .prefix = body.tensor(""),
                                       .settings = body.settings,
                                       .regions = body.regions,
                                       .dt = dt,
                                       .free = body.free});
  const Edits edits = ops.edits(model.get());
  Load probe(ops.size(model.get()), false);
  PointSet surface(asset, body.tensor("shape/"), body.tensor("embedding/"), ops.size(model.get()));
  VectorXd areas = point_areas(asset.matrix<float>(body.tensor("shape/X"), 3).cast<double>(),
                               asset.matrix<int>(body.tensor("surface/triangles"), 3));
  return {.name = body.name,
          .ops = &ops,
          .model = std::move(model),
          .edits = edits,
          .surface = std::move(surface),
          .areas = std::move(areas),
          .dt = dt,
          .divider = divider,
          .regions = static_cast<int>(body.regions.size()),
          .probe = std::move(probe),
          .hand = {}};
}

// An engine need not know the name of the file that its tensors come from.
BodyModel make_model(const TensorView& asset, const AssetBody& body, const EngineOps& ops,
                     double rate) {
  const auto place = [&] { return Place{asset.name(), 0, "body " + body.name}; };
  try {
    return build_model(asset, body, ops, rate);
  } catch (const Error& error) {
    if (!error.place().file.empty()) throw;
    throw Error(place(), error.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(place(), error.what());
  }
}

Body make_body(const BodyModel& model, int index, const std::string& name, const Pose& pose,
               MakeWorker make_worker) {
  const void* own = model.model.get();
  const Index r = model.ops->size(own);
  Body body{.model = index,
            .name = name,
            .state = model.ops->state(own, pose),
            .motion = Motion(r),
            .load = Load(r, model.edits.tangent && model.divider == 1),
            .slow = Load(r, false),
            .next_slow = Load(r, false),
            .divided = std::nullopt,
            .settings = {}};
  body.settings.regions.resize(static_cast<std::size_t>(model.regions));
  model.ops->settings(own, body.state.get(), body.settings);
  model.ops->motion(own, body.state.get(), body.motion);
  if (model.divider > 1) {
    body.divided.emplace(*model.ops, own, body.state.get(), model.divider, Load(r, false),
                         body.motion, make_worker());
  }
  return body;
}

// The stiffest of its contacts with others. Where something yields all points together, else a single
// one, which alone must stop the body. [Barbic07] 4.9
void find_contact_stiffness(const WorldData& world, std::size_t model, HeldBody& held) {
  const std::size_t n = world.contact.models.size();
  const auto yields = [&](std::size_t m) { return world.models[m].hand.mobility > 0; };
  double most = 0.0;
  bool any_yields = false;
  for (std::size_t other = 0; other < n; ++other) {
    for (const std::size_t rule : {model * n + other, other * n + model}) {
      const ContactRule& own = world.contact.rules[rule];
      if (!own.used) continue;
      const bool yielding = yields(model) || yields(other);
      any_yields = any_yields || yielding;
      most = std::max(most, (yielding ? own.penalty.limit : 1.0) * own.penalty.stiffness);
    }
  }
  // What presses on a body should be held about as hard as a hand would pull at that.
  for (const PressedBody& own : world.contact.pressed) {
    const bool presses = std::ranges::any_of(own.probes, [&](int probe) {
      return world.bodies[static_cast<std::size_t>(probe)].model == static_cast<int>(model);
    });
    const BodyModel& pressed = world.model_of(world.bodies[static_cast<std::size_t>(own.body)]);
    if (presses) most = std::max(most, pressed.hand.suits);
    any_yields = any_yields || presses;
  }
  held.contact_stiffness = most;
  held.meets_only_rigid = most > 0 && !any_yields;
}

// The bodies stay where they are from now on.
void connect_constraints(WorldData& world) {
  ConstraintData& own = world.contact.constraint;
  for (std::size_t b = 0; b < own.bodies.size(); ++b) {
    Body& body = world.bodies[static_cast<std::size_t>(own.bodies[b])];
    body.constrained = true;
    CollidingBody& colliding = own.collisions.bodies[b];
    colliding.model = world.model_of(body).model.get();
    colliding.state = body.state.get();
    colliding.load = &body.load;
  }
}

// The first body of a name, as a hand takes hold of it. `free`: one that goes where it is put will not do.
HeldBody held_body(const TensorView& asset, const AssetHead& head, const std::string& name,
                   bool free, WorldData& world) {
  const auto found = std::find_if(world.bodies.begin(), world.bodies.end(), [&](const Body& body) {
    return world.model_of(body).name == name;
  });
  const auto refuse = [&] {
    throw Error(
        {asset.name(), 0, "handle"}, "it cannot move this body", name,
        free ? "a free body, of engine rigid or reduced"
             : "a body of engine rigid with motion = \"kinematic\" or \"free\", or of engine "
               "reduced that nothing holds");
  };
  if (found == world.bodies.end()) refuse();
  const BodyModel& model = world.model_of(*found);
  const bool by_itself = !model.edits.pose;
  if (free && !by_itself) refuse();
  if (by_itself && (!head.bodies[static_cast<std::size_t>(found->model)].free ||
                    !model.edits.tangent || found->divided || !(model.hand.mobility > 0))) {
    refuse();
  }
  found->load = Load(found->motion.c.size(), true);  // the coupling needs the contacts' tangent
  const PointSet& surface = model.surface;
  Eigen::AlignedBox3d box;
  for (Index s = 0; s < surface.point_count(); ++s) {
    box.extend(surface.rest_position(s).cast<double>());
  }
  HeldBody held{.index = static_cast<int>(found - world.bodies.begin()),
                .frame = found->motion.pose,
                .middle = box.center(),
                .size = box.diagonal().norm()};
  find_contact_stiffness(world, static_cast<std::size_t>(found->model), held);
  if (by_itself) held.mass = 1 / model.hand.mobility;
  return held;
}

Hold make_hold_of(const TensorView& asset, const AssetHead& head, WorldData& world) {
  const HandleSpec& spec = *head.handle;
  const double gravity = world.gravity.norm();
  Hold hold = make_hold(spec, held_body(asset, head, spec.body, false, world), gravity, world.dt);
  for (const FingerSpec& finger : spec.fingers) {
    const HeldBody body = held_body(asset, head, finger.body, true, world);
    hold.fingers.push_back(make_finger(hold, spec, body, finger.closing, gravity, world.dt));
  }
  return hold;
}

}  // namespace

const EngineOps* find_engine(EngineList engines, std::string_view name) noexcept {
  const auto found = std::find_if(engines.begin(), engines.end(),
                                  [&](const EngineOps* ops) { return ops->facts.name == name; });
  return found == engines.end() ? nullptr : *found;
}

WorldData make_world(const TensorView& asset, const AssetHead& head, EngineList engines,
                     MakeWorker make_worker) {
  WorldData world;
  world.dt = 1 / head.rate;
  world.gravity = world.gravity_at_start = head.gravity;
  world.wind = world.wind_at_start = head.wind.value_or(WindSpec{});
  for (const AssetBody& entry : head.bodies) {
    const auto index = static_cast<int>(world.models.size());
    world.models.push_back(make_model(asset, entry, engine_of(asset, entry, engines), head.rate));
    for (std::size_t i = 0; i < entry.instances.size(); ++i) {
      world.bodies.push_back(make_body(world.models.back(), index, instance_name(entry, i),
                                       entry.instances[i], make_worker));
    }
    if (!entry.instances.empty()) {
      BodyModel& model = world.models.back();
      model.hand = fit_hand(model, world.bodies.back().motion, entry.regions);
    }
  }
  world.contact = make_contact(asset, head, world);
  connect_constraints(world);
  if (head.handle) {
    world.hold = make_hold_of(asset, head, world);
    if (head.handle->coupling == HandleSpec::Coupling::coupled) {
      world.hold.yielding = make_yielding(world);
    }
  }
  return world;
}

}  // namespace pliant
