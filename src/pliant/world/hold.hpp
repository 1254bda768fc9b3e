// SPDX-License-Identifier: MIT
// The body that a hand holds: where the hand is, the spring between both, and what the hand feels. The
// stage comes after contact, whose force and tangent on the body it needs, and before the step, at
// whose end the body is where the coupling puts it.
//
//   about the grasped point g, with a = p - g:   (F, T)_g = X^T (F, T)    K_g = X^T K X
//   X = (1  -a~ ; 0  1)                           a~ b = a x b
//
// A body that moves by itself is not put anywhere: the spring is a load (carrying_spring.hpp).
//
// While the body goes by z in a step its rate goes from V to z / dt, so that contacts which damp act
// by  F - K z - D (z / dt - V) = (F + D V) - (K + D / dt) z.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "pliant/asset/world_specs.hpp"
#include "pliant/haptics/carrying_spring.hpp"
#include "pliant/haptics/dynamic_coupling.hpp"
#include "pliant/haptics/static_coupling.hpp"
#include "pliant/haptics/yielding_contact.hpp"
#include "pliant/shape/motion.hpp"

namespace pliant {

struct WorldData;

// A hand that nothing couples: the body goes where it goes, whatever is in the way.
struct NoCoupling {};

// A body that yields to the held one.
struct Yielding {
  std::optional<YieldingContact> contact;  // if it can be solved for
  VectorXd at_rate;                        // how far its coefficients go in a step at their rate
  bool used = false;                       // in this step
};

// Another body of the hand: free, and pulled to its place in the hand. [Zhuang00] 5.4.1: proxies that
// dynamics move.
struct Finger {
  int body = -1;
  Vector3d grasp = Vector3d::Zero();  // its middle, in its frame [m]
  CarryingSpring spring;
  Pose place;  // of its middle and frame, in the hand, while the gripper is open
  Vector3d closing = Vector3d::Zero();  // from there until it is closed, in the hand [m]
  Pose hand;                            // where the hand has its middle now
};

struct Hold {
  int body = -1;                      // -1: none
  Vector3d grasp = Vector3d::Zero();  // in the body's frame [m]
  std::variant<NoCoupling, StaticCoupling, DynamicCoupling, CarryingSpring> coupling;
  // The grasped point and the rotation of the hand: where it is told to be, and where it is now.
  Pose start, target, hand;
  double most_force = 0.0;                         // of the spring on the body [N]; 0: no spring
  double device_force = 0.0, device_torque = 0.0;  // that the hand is given at most [N], [N m]
  bool eased = true;                               // between targets that come seldom
  bool let_go = false;                             // the target is where the body is
  Vector6d speed = Vector6d::Zero();               // of the hand
  HandForce felt;
  std::vector<Yielding> yielding;  // of each body; empty: each is solved for by itself
  std::vector<Finger> fingers;
  double opening = 1.0, target_opening = 1.0;  // of the gripper, 0 to 1
  double gripper_force = 0.0;                  // of the fingers, that opens it [N]
};

// Where a body's frame is when its grasped point is there.
Pose frame_of(const Hold& hold, const Pose& grasped) noexcept;
Pose grasped(const Hold& hold, const Pose& frame) noexcept;

// What acts on a body about the grasped point, a = `from_grasp_to_origin`; V: `rate` of the body's
// frame (velocity of its origin, angular velocity).
HeldContact held_contact(const Load& load, const Vector3d& from_grasp_to_origin,
                         const Vector6d& rate, double dt) noexcept;

// A body as a hand takes hold of it.
struct HeldBody {
  int index = -1;
  Pose frame;
  Vector3d middle = Vector3d::Zero();  // in its frame [m]
  double size = 0.1;                   // m
  double contact_stiffness = 0.0;      // of its contacts, at most [N/m]; 0: it has none
  bool meets_only_rigid = false;  // nor does it yield itself: `contact_stiffness` is of one point
  double mass = 0.0;              // of one that moves by itself [kg]; 0: it goes where it is put
};
// `gravity`: [m/s^2]. Throws Error for numbers that cannot be.
Hold make_hold(const HandleSpec& spec, const HeldBody& body, double gravity, double dt);

// One more body of a hand. `closing`: in the world [m]. Throws Error as make_hold().
Finger make_finger(const Hold& hold, const HandleSpec& spec, const HeldBody& body,
                   const Vector3d& closing, double gravity, double dt);

// For a hand that is solved for together with the bodies that it touches.
std::vector<Yielding> make_yielding(const WorldData& world);

namespace stages {

void hold(WorldData& world) noexcept;
// Another place of the body is held from now on, by the same force. [Barbic07] 4.5
void grasp_at(WorldData& world, const Vector3d& point) noexcept;
// To where the hand began.
void reset_hold(WorldData& world) noexcept;

}  // namespace stages

}  // namespace pliant
