// SPDX-License-Identifier: MIT
#include "pliant/world/hold.hpp"

#include <algorithm>
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
// And where nothing yields when it is so far away: a fifth of a point's stiffness, as much as usual
// devices render.
constexpr double firm_stretch = 0.05;
constexpr double usual_lever = 0.25;  // of the force at its limit, for the torque's
constexpr double usual_angle = 0.7;   // at which the torque would be at its limit [rad]
constexpr double usual_speed = 4.0;   // sizes of the body a second
constexpr double over_weight = 10.0;  // of a body that is carried, for the force's limit
constexpr double easing = 0.02;       // s

// How far a pose went: (dx, dw).
Vector6d way_of(const Pose& from, const Pose& to) noexcept {
  Vector6d way;
  way << to.position - from.position, rotation_vector(to.rotation * from.rotation.conjugate());
  return way;
}

// C of the contacts of the held body with the points of body `b`; whether there are any.
bool find_contacts(WorldData& world, int b, const Vector3d& grasp, YieldingContact& out) noexcept {
  const ContactData& contact = world.contact;
  Body& body = world.bodies[static_cast<std::size_t>(b)];
  const ContactModel& model = contact.models[static_cast<std::size_t>(body.model)];
  VectorXd& modal = world.contact.bodies[static_cast<std::size_t>(b)].room.modal;
  // The report may have room for a part of the contacts, which stands for all.
  const double stands_for = static_cast<double>(contact.counters.contacts) /
                            static_cast<double>(std::max<std::size_t>(1, contact.report.size()));
  bool any = false;
  for (const ContactState& c : contact.report) {
    if (c.field != world.hold.body || c.shell != b) continue;
    if (!any) out.C.setZero();
    any = true;
    modal.setZero();
    const Vector3d n = body.motion.pose.rotation.conjugate() * c.normal;
    model.shell->points.linear()->add_force(c.point, n.cast<float>(), modal);
    Vector6d j;
    j << c.normal, (c.place - grasp).cross(c.normal);
    out.add(j, modal, stands_for * (c.stiffness + c.damping / world.dt));
  }
  return any;
}

// The bodies that the held one touches become contacts that yield (yielding_contact.hpp). `at_rate`:
// how far the held body goes at its rate, about the grasped point.
void eliminate_bodies(WorldData& world, const Vector3d& grasp, const Vector6d& at_rate,
                      HeldContact& contact) noexcept {
  for (std::size_t b = 0; b < world.hold.yielding.size(); ++b) {
    Yielding& own = world.hold.yielding[b];
    own.used = false;
    if (!own.contact || !find_contacts(world, static_cast<int>(b), grasp, *own.contact)) continue;
    YieldingContact& all = *own.contact;
    Body& body = world.bodies[b];
    const BodyModel& model = world.model_of(body);
    const Index n =
        model.ops->linear_step(model.model.get(), body.load, body.state.get(), all.A, all.b);
    const Index still = all.b.size() - n;
    if (n == 0) continue;
    if (still > 0) {
      all.A.bottomRows(still).setZero();
      all.A.bottomRightCorner(still, still).setIdentity();
      all.b.tail(still).setZero();
      all.C.rightCols(still).setZero();
    }
    own.at_rate = world.dt * body.motion.dc.cast<double>();
    own.at_rate.tail(still).setZero();
    own.used = all.eliminate(own.at_rate, at_rate, contact);
  }
}

// The held body went by `z`: what that does to those that it touches.
void act_on_bodies(WorldData& world, const Vector6d& beyond_rate) noexcept {
  for (std::size_t b = 0; b < world.hold.yielding.size(); ++b) {
    const Yielding& own = world.hold.yielding[b];
    if (own.used) world.bodies[b].load.Q.noalias() += own.contact->C.transpose() * beyond_rate;
  }
}

// The spring of a hand on a body that moves by itself, at a place of it: a load with its tangent.
HandForce carry(const CarryingSpring& spring, const Pose& at, const Pose& hand,
                const Vector6d& hand_rate, Body& body) noexcept {
  const Vector3d arm = at.position - body.motion.pose.position;
  Matrix6d X = Matrix6d::Identity();  // from the motion of the frame to that of the grasped point
  X.topRightCorner<3, 3>() = -cross_matrix(arm);
  Vector6d rate;
  rate << body.motion.velocity, body.motion.angular_velocity;
  const CarryingSpring::Pull pull = spring.at(at, X * rate, hand, hand_rate);
  const Vector6d about_frame = X.transpose() * pull.wrench;
  body.load.force += about_frame.head<3>();
  body.load.torque += about_frame.tail<3>();
  LoadTangent& tangent = body.load.tangent;
  tangent.K.topLeftCorner<6, 6>() += X.transpose() * pull.K.asDiagonal() * X;
  tangent.D.topLeftCorner<6, 6>() += X.transpose() * pull.D.asDiagonal() * X;
  tangent.used = true;
  return pull.felt;
}

Pose place_of(const Hold& own, const Finger& finger) noexcept {
  const Vector3d in_hand = finger.place.position + (1 - own.opening) * finger.closing;
  return {own.hand.to_world(in_hand), own.hand.rotation * finger.place.rotation};
}

// Each finger by its own spring; the hand feels them together, and the gripper by their work:
//
//   F_g L do = sum_i f_i . dx_i      dx_i = -c_i do       o   opening of the gripper
//   f_i   of finger i on the hand    c_i  its closing     L   the longest of the c_i
void hold_fingers(WorldData& world) noexcept {
  Hold& own = world.hold;
  double work = 0.0, longest = 0.0;
  for (Finger& finger : own.fingers) {
    Body& body = world.bodies[static_cast<std::size_t>(finger.body)];
    const Pose last = finger.hand;
    finger.hand = place_of(own, finger);
    const Pose at{body.motion.pose.to_world(finger.grasp), body.motion.pose.rotation};
    const HandForce felt =
        carry(finger.spring, at, finger.hand, way_of(last, finger.hand) / world.dt, body);
    const Vector3d f = felt.on_hand.head<3>();
    own.felt.on_hand += felt.on_hand;
    own.felt.on_hand.tail<3>() += (finger.hand.position - own.hand.position).cross(f);
    work -= f.dot(own.hand.rotation * finger.closing);
    longest = std::max(longest, finger.closing.norm());
  }
  if (own.fingers.empty()) return;
  own.gripper_force = longest > 0 ? work / longest : 0.0;
  own.felt.on_hand = device_clamp(own.felt.on_hand, own.device_force, own.device_torque);
}

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

Hold make_hold(const HandleSpec& spec, const HeldBody& body, double gravity, double dt) {
  Hold hold;
  hold.body = body.index;
  hold.grasp = spec.grasp.value_or(body.middle);
  hold.start = hold.target = hold.hand = grasped(hold, body.frame);
  const double size = body.size;
  CouplingSpring spring;
  spring.force.curve = spring.torque.curve = spec.saturation == HandleSpec::Saturation::cubic
                                                 ? Saturation::Curve::cubic
                                                 : Saturation::Curve::exponential;
  const double contact = body.contact_stiffness > 0 ? body.contact_stiffness : usual_stiffness;
  spring.force.limit = spec.most_force.value_or(
      std::max(contact * usual_depth * size, over_weight * body.mass * gravity));
  const double stretch = (body.meets_only_rigid ? firm_stretch : usual_stretch) * size;
  spring.force.stiffness = spec.stiffness.value_or(spring.force.limit / stretch);
  spring.torque.limit = spec.most_torque.value_or(usual_lever * size * spring.force.limit);
  spring.torque.stiffness =
      spec.torque_stiffness.value_or(spring.torque.limit / std::sin(0.5 * usual_angle));
  const double speed = spec.speed.value_or(usual_speed * size);
  // Without a device that says otherwise, the hand is told all of the spring's force.
  const double device_force = spec.device_force.value_or(4 * spring.force.limit);
  const double device_torque = spec.device_torque.value_or(4 * spring.torque.limit);
  hold.device_force = device_force;
  hold.device_torque = device_torque;
  if (body.mass > 0) {
    const double arm = usual_lever * size;
    const double damper = 2 * std::sqrt(spring.force.stiffness * body.mass);
    hold.coupling = CarryingSpring{.spring = spring,
                                   .damper = damper,
                                   .turning_damper = damper * arm * arm,
                                   .device_force = device_force,
                                   .device_torque = device_torque};
    hold.most_force = spring.force.limit;
    return hold;
  }
  if (spec.coupling == HandleSpec::Coupling::none) return hold;
  if (spec.coupling != HandleSpec::Coupling::dynamic) {
    hold.coupling = StaticCoupling({.spring = spring,
                                    .damping = spec.damping,
                                    .most_speed = speed,
                                    .most_turning = spec.turning,
                                    .length = 0.5 * size,
                                    .free_below = 1e-2,
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

Finger make_finger(const Hold& hold, const HandleSpec& spec, const HeldBody& body,
                   const Vector3d& closing, double gravity, double dt) {
  HandleSpec own = spec;
  own.grasp.reset();
  const Hold alone = make_hold(own, body, gravity, dt);
  const Eigen::Quaterniond back = hold.start.rotation.conjugate();
  return {
      .body = body.index,
      .grasp = alone.grasp,
      .spring = std::get<CarryingSpring>(alone.coupling),
      .place = {back * (alone.start.position - hold.start.position), back * alone.start.rotation},
      .closing = back * closing,
      .hand = alone.start};
}

std::vector<Yielding> make_yielding(const WorldData& world) {
  std::vector<Yielding> all(world.bodies.size());
  for (std::size_t b = 0; b < all.size(); ++b) {
    const Body& body = world.bodies[b];
    const ContactModel* meets =
        world.contact.on ? &world.contact.models[static_cast<std::size_t>(body.model)] : nullptr;
    if (meets == nullptr || !meets->shell || meets->shell->points.is_dense() || body.divided ||
        body.motion.c.size() == 0) {
      continue;
    }
    all[b].contact.emplace(body.motion.c.size());
    all[b].at_rate = VectorXd::Zero(body.motion.c.size());
  }
  return all;
}

namespace stages {

void hold(WorldData& world) noexcept {
  Hold& own = world.hold;
  if (own.body < 0) return;
  Body& body = world.bodies[static_cast<std::size_t>(own.body)];
  const BodyModel& model = world.model_of(body);

  const Pose last = own.hand;
  if (own.let_go) own.target = grasped(own, body.motion.pose);
  if (own.eased) {
    const double part = 1 - std::exp(-world.dt / easing);
    own.hand.position += part * (own.target.position - own.hand.position);
    own.hand.rotation = own.hand.rotation.slerp(part, own.target.rotation).normalized();
    own.opening += part * (own.target_opening - own.opening);
  } else {
    own.hand = own.target;
    own.opening = own.target_opening;
  }
  own.speed = way_of(last, own.hand) / world.dt;

  if (const auto* spring = std::get_if<CarryingSpring>(&own.coupling)) {
    own.felt = carry(*spring, grasped(own, body.motion.pose), own.hand, own.speed, body);
    hold_fingers(world);
    return;
  }
  const Pose at = grasped(own, body.motion.pose);
  Vector6d rate;
  rate << body.motion.velocity, body.motion.angular_velocity;
  const Vector3d to_origin = body.motion.pose.position - at.position;
  HeldContact contact = held_contact(body.load, to_origin, rate, world.dt);
  Vector6d at_rate = world.dt * rate;  // of the grasped point
  at_rate.head<3>() -= world.dt * body.motion.angular_velocity.cross(to_origin);
  if (!own.yielding.empty()) eliminate_bodies(world, at.position, at_rate, contact);
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
                                     },
                                     [&](CarryingSpring&) { return at; }},
                               own.coupling);
  if (!own.yielding.empty()) act_on_bodies(world, way_of(at, goal) - at_rate);
  model.ops->set_pose(model.model.get(), body.state.get(), frame_of(own, goal));
  hold_fingers(world);
}

void grasp_at(WorldData& world, const Vector3d& point) noexcept {
  Hold& own = world.hold;
  const Body& body = world.bodies[static_cast<std::size_t>(own.body)];
  const Vector3d moved = body.motion.pose.rotation * (point - own.grasp);
  const Pose begun = frame_of(own, own.start);
  own.grasp = point;
  own.start = grasped(own, begun);
  for (Pose* pose : {&own.target, &own.hand}) pose->position += moved;
  // Fingers stay where they are.
  for (Finger& finger : own.fingers) {
    finger.place.position -= own.hand.rotation.conjugate() * moved;
  }
  std::visit(Match{[](NoCoupling&) {}, [](CarryingSpring&) {}, [&](auto& c) { c.move_by(moved); }},
             own.coupling);
}

void reset_hold(WorldData& world) noexcept {
  Hold& own = world.hold;
  if (own.body < 0) return;
  own.target = own.hand = own.start;
  own.speed.setZero();
  own.felt = {};
  own.eased = true;
  own.let_go = false;
  own.opening = own.target_opening = 1.0;
  own.gripper_force = 0.0;
  for (Finger& finger : own.fingers) finger.hand = place_of(own, finger);
  std::visit(
      Match{[](NoCoupling&) {}, [](CarryingSpring&) {}, [&](auto& c) { c.reset(own.start); }},
      own.coupling);
}

}  // namespace stages

}  // namespace pliant
