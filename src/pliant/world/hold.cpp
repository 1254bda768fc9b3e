// SPDX-License-Identifier: MIT
#include "pliant/world/hold.hpp"

#include <cmath>
#include <numbers>

#include "pliant/base/match.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/world/world_data.hpp"

namespace pliant {
namespace {

constexpr double usual_depth = 0.01;        // of the body's size: how deep it may be pressed
constexpr double usual_stiffness = 1000.0;  // of a body that meets nobody [N/m]
// A hand without other word lets the spring reach its limit when it is this part of the body away.
constexpr double usual_stretch = 0.2;
constexpr double usual_lever = 0.25;  // of the force at its limit, for the torque's
constexpr double usual_angle = 0.7;   // at which the torque would be at its limit [rad]
constexpr double usual_speed = 4.0;   // sizes of the body a second
constexpr double easing = 0.02;       // s

}  // namespace

Pose frame_of(const Hold& hold, const Pose& grasped) noexcept {
  return {grasped.position - grasped.rotation * hold.grasp, grasped.rotation};
}

Pose grasped(const Hold& hold, const Pose& frame) noexcept {
  return {frame.to_world(hold.grasp), frame.rotation};
}

HeldContact held_contact(const Load& load, const Vector3d& a, const Vector6d& rate,
                         double dt) noexcept {
  HeldContact out;
  out.wrench << load.force, load.torque + a.cross(load.force);
  if (!load.tangent.used) return out;
  Matrix6d X = Matrix6d::Identity();
  X.topRightCorner<3, 3>() = -cross_matrix(a);
  const Matrix6d K = load.tangent.K.topLeftCorner<6, 6>().selfadjointView<Eigen::Lower>();
  const Matrix6d D = load.tangent.D.topLeftCorner<6, 6>().selfadjointView<Eigen::Lower>();
  out.wrench += X.transpose() * D * rate;
  out.gradient = -X.transpose() * (K + D / dt) * X;
  return out;
}

Hold make_hold(const HandleSpec& spec, int body, const Pose& frame, const Vector3d& middle,
               double size, double contact_stiffness, double dt) {
  Hold hold;
  hold.body = body;
  hold.grasp = spec.grasp.value_or(middle);
  hold.start = hold.target = hold.hand = grasped(hold, frame);
  CouplingSpring spring;
  spring.force.curve = spring.torque.curve = spec.saturation == HandleSpec::Saturation::cubic
                                                 ? Saturation::Curve::cubic
                                                 : Saturation::Curve::exponential;
  const double contact = contact_stiffness > 0 ? contact_stiffness : usual_stiffness;
  spring.force.limit = spec.most_force.value_or(contact * usual_depth * size);
  spring.force.stiffness = spec.stiffness.value_or(spring.force.limit / (usual_stretch * size));
  spring.torque.limit = spec.most_torque.value_or(usual_lever * size * spring.force.limit);
  spring.torque.stiffness =
      spec.torque_stiffness.value_or(spring.torque.limit / std::sin(0.5 * usual_angle));
  const double speed = spec.speed.value_or(usual_speed * size);
  // Without a device that says otherwise, the hand is told all of the spring's force.
  const double device_force = spec.device_force.value_or(4 * spring.force.limit);
  const double device_torque = spec.device_torque.value_or(4 * spring.torque.limit);
  if (spec.coupling == HandleSpec::Coupling::none) return hold;
  if (spec.coupling == HandleSpec::Coupling::quasistatic) {
    hold.coupling = StaticCoupling({.spring = spring,
                                    .damping = spec.damping,
                                    .most_speed = speed,
                                    .most_turning = spec.turning,
                                    .length = 0.5 * size,
                                    .free_below = 1e-3,
                                    .device_force = device_force,
                                    .device_torque = device_torque},
                                   dt, hold.start);
  } else {
    // As heavy as lets the spring swing once in 20 cycles.
    const double w = 2 * std::numbers::pi / (20 * dt);
    hold.coupling = DynamicCoupling({.spring = spring,
                                     .mass = spring.force.stiffness / (w * w),
                                     .inertia = 0.5 * spring.torque.stiffness / (w * w),
                                     .damping_ratio = 1.0,
                                     .sub_steps = 10,
                                     .most_speed = speed,
                                     .most_turning = spec.turning,
                                     .device_force = device_force,
                                     .device_torque = device_torque},
                                    dt, hold.start);
  }
  hold.most_force = spring.force.limit;
  return hold;
}

namespace stages {

void hold(WorldData& world) noexcept {
  Hold& own = world.hold;
  if (own.body < 0) return;
  Body& body = world.bodies[static_cast<std::size_t>(own.body)];
  const BodyModel& model = world.model_of(body);

  const Pose last = own.hand;
  if (own.eased) {
    const double part = 1 - std::exp(-world.dt / easing);
    own.hand.position += part * (own.target.position - own.hand.position);
    own.hand.rotation = own.hand.rotation.slerp(part, own.target.rotation).normalized();
  } else {
    own.hand = own.target;
  }
  own.speed << (own.hand.position - last.position) / world.dt,
      rotation_vector(own.hand.rotation * last.rotation.conjugate()) / world.dt;

  const Pose at = grasped(own, body.motion.pose);
  Vector6d rate;
  rate << body.motion.velocity, body.motion.angular_velocity;
  const HeldContact contact =
      held_contact(body.load, body.motion.pose.position - at.position, rate, world.dt);
  const Pose goal = std::visit(Match{[&](NoCoupling&) {
                                       own.felt = {};
                                       own.felt.on_hand = contact.wrench;
                                       return own.hand;
                                     },
                                     [&](StaticCoupling& c) {
                                       own.felt = c.advance(own.hand, contact);
                                       return c.object();
                                     },
                                     [&](DynamicCoupling& c) {
                                       own.felt = c.advance(own.hand, own.speed, contact);
                                       return c.object();
                                     }},
                               own.coupling);
  model.ops->set_pose(model.model.get(), body.state.get(), frame_of(own, goal));
}

void reset_hold(WorldData& world) noexcept {
  Hold& own = world.hold;
  if (own.body < 0) return;
  own.target = own.hand = own.start;
  own.speed.setZero();
  own.felt = {};
  own.eased = true;
  std::visit(Match{[](NoCoupling&) {}, [&](auto& c) { c.reset(own.start); }}, own.coupling);
}

}  // namespace stages

}  // namespace pliant
