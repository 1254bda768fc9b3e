// SPDX-License-Identifier: MIT
#include "pliant/world/press_stage.hpp"

namespace pliant::stages {
namespace {

void act_on(const Probe& probe, Body& body, ContactBody& contact) noexcept {
  body.load.force += probe.force;
  body.load.torque += probe.torque;
  contact.force += probe.force;
  contact.torque += probe.torque;
  LoadTangent& tangent = body.load.tangent;
  if (tangent.K.rows() < 6) return;
  tangent.K.topLeftCorner<6, 6>() += probe.stiffness;
  tangent.used = true;
}

void tell(const PressedBody& own, const NodeReaction& reaction, WorldData& world) noexcept {
  ContactData& contact = world.contact;
  ++contact.counters.contacts;
  ContactBody& at = contact.bodies[static_cast<std::size_t>(own.body)];
  const Vector3d& origin = world.bodies[static_cast<std::size_t>(own.body)].motion.pose.position;
  at.force += reaction.force;
  at.torque += (reaction.place - origin).cross(reaction.force);
  if (contact.report.size() == contact.report.capacity()) return;
  contact.report.push_back({own.body, own.probes[static_cast<std::size_t>(reaction.obstacle)],
                            reaction.node, reaction.place, reaction.normal, reaction.force,
                            reaction.depth});
}

}  // namespace

void press(WorldData& world) noexcept {
  for (PressedBody& own : world.contact.pressed) {
    Body& body = world.bodies[static_cast<std::size_t>(own.body)];
    const BodyModel& model = world.model_of(body);
    const Eigen::AlignedBox3d& box = world.contact.bodies[static_cast<std::size_t>(own.body)].box;
    for (std::size_t p = 0; p < own.probes.size(); ++p) {
      const auto other = static_cast<std::size_t>(own.probes[p]);
      own.pressing.probes[p].pose = world.bodies[other].motion.pose;
      own.pressing.probes[p].near = box.intersects(world.contact.bodies[other].box);
    }
    model.ops->press(model.model.get(), body.load, body.state.get(), own.pressing);
    for (std::size_t p = 0; p < own.probes.size(); ++p) {
      const auto other = static_cast<std::size_t>(own.probes[p]);
      act_on(own.pressing.probes[p], world.bodies[other], world.contact.bodies[other]);
    }
    for (const NodeReaction& reaction : own.pressing.reactions) tell(own, reaction, world);
    world.contact.counters.pairs += 1;
  }
}

}  // namespace pliant::stages
