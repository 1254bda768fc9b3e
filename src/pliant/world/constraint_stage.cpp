// SPDX-License-Identifier: MIT
#include "pliant/world/constraint_stage.hpp"

#include <algorithm>

namespace pliant::stages {
namespace {

using Vector6d = Obstacle::Vector6d;

// v.M^-1 v of a wrench on the body.
double mobility_of(const BodyModel& model, const Motion& motion, const Vector6d& wrench) noexcept {
  Load load;
  load.force = wrench.head<3>();
  load.torque = wrench.tail<3>();
  return model.ops->mobility(model.model.get(), motion, load);
}

void see(const WorldData& world, const Body& body, Obstacle& obstacle) noexcept {
  const BodyModel& model = world.model_of(body);
  obstacle.pose = body.motion.pose;
  obstacle.twist << body.motion.velocity, body.motion.angular_velocity;
  // By pairs of unit wrenches: a.B b = ((a + b).B (a + b) - a.B a - b.B b) / 2.
  Vector6d own;
  for (Index i = 0; i < 6; ++i) own[i] = mobility_of(model, body.motion, Vector6d::Unit(i));
  for (Index i = 0; i < 6; ++i) {
    obstacle.mobility(i, i) = own[i];
    for (Index j = 0; j < i && !own.isZero(0.0); ++j) {
      const double both = mobility_of(model, body.motion, Vector6d::Unit(i) + Vector6d::Unit(j));
      obstacle.mobility(i, j) = obstacle.mobility(j, i) = 0.5 * (both - own[i] - own[j]);
    }
  }
  // What else acts on it moves it in this step too: what it lies on must bear its weight now.
  Vector6d wrench;
  wrench << body.load.force, body.load.torque;
  obstacle.twist += world.dt * (obstacle.mobility * wrench);
}

// What a node was given is told as a contact of its body with the other.
void tell(WorldData& world, int body, const NodeReaction& reaction) noexcept {
  if (reaction.force.isZero(0.0)) return;
  ContactData& contact = world.contact;
  const ConstraintData& own = contact.constraint;
  const int other = reaction.obstacle >= 0
                        ? own.obstacles[static_cast<std::size_t>(reaction.obstacle)]
                        : own.bodies[static_cast<std::size_t>(reaction.body)];
  const auto feel = [&](int index, const Vector3d& force) {
    ContactBody& at = contact.bodies[static_cast<std::size_t>(index)];
    const Vector3d& origin = world.bodies[static_cast<std::size_t>(index)].motion.pose.position;
    at.force += force;
    at.torque += (reaction.place - origin).cross(force);
  };
  feel(body, reaction.force);
  if (reaction.obstacle >= 0) feel(other, -reaction.force);
  ++contact.counters.contacts;
  contact.counters.deepest = std::max(contact.counters.deepest, reaction.depth);
  if (contact.report.size() == contact.report.capacity()) return;
  contact.report.push_back({body, other, reaction.node, reaction.place, reaction.normal,
                            reaction.force, reaction.depth});
}

}  // namespace

void constrained_step(WorldData& world) noexcept {
  ConstraintData& own = world.contact.constraint;
  if (own.bodies.empty()) return;
  Collisions& collisions = own.collisions;
  for (std::size_t o = 0; o < own.obstacles.size(); ++o) {
    see(world, world.bodies[static_cast<std::size_t>(own.obstacles[o])], collisions.obstacles[o]);
  }
  world.model_of(world.bodies[static_cast<std::size_t>(own.bodies.front())])
      .ops->step_together(collisions);
  for (std::size_t b = 0; b < own.bodies.size(); ++b) {
    Body& body = world.bodies[static_cast<std::size_t>(own.bodies[b])];
    const BodyModel& model = world.model_of(body);
    body.status = collisions.bodies[b].status;
    if (!see_motion(*model.ops, model.model.get(), body.state.get(), body.motion)) {
      body.status |= StepStatus::not_finite;
    }
    for (const NodeReaction& reaction : collisions.bodies[b].reactions) {
      tell(world, own.bodies[b], reaction);
    }
  }
  for (std::size_t o = 0; o < own.obstacles.size(); ++o) {
    Load& load = world.bodies[static_cast<std::size_t>(own.obstacles[o])].load;
    load.force += collisions.obstacles[o].impulse.head<3>() / world.dt;
    load.torque += collisions.obstacles[o].impulse.tail<3>() / world.dt;
  }
}

}  // namespace pliant::stages
