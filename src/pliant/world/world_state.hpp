// SPDX-License-Identifier: MIT
// The state of a world as others see it: published whole, with the settings, so that nobody has to
// keep a copy that might disagree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/base/bounded_list.hpp"
#include "pliant/base/step_status.hpp"
#include "pliant/fem/model_input.hpp"
#include "pliant/haptics/static_coupling.hpp"
#include "pliant/shape/motion.hpp"
#include "pliant/shape/pressure_image.hpp"
#include "pliant/world/command.hpp"
#include "pliant/world/device_state.hpp"

namespace pliant {

struct BodyState {
  Pose pose;
  VectorXf c;  // coefficients of its shape; of a dense body, displacements of all nodes
  Energy energy;
  // Of all its contacts with others [N], and about its frame's origin [N m]; in the world.
  Vector3d contact_force = Vector3d::Zero(), contact_torque = Vector3d::Zero();
  BodySettings settings;
  std::vector<ControlView> controls;  // its control elements, if it has some
  PressureImage image;                // of what presses on it; without taxels: it has none
};

// A point of one body in another.
struct ContactState {
  std::int32_t shell = -1, field = -1;  // the bodies: whose point, and in whom
  std::int32_t point = -1;              // of the shell
  Vector3d place = Vector3d::Zero();    // m
  Vector3d normal = Vector3d::Zero();   // of the shell, inward
  Vector3d force = Vector3d::Zero();    // on the shell's body [N]
  double depth = 0.0;                   // m
  double stiffness = 0.0;               // N/m
  double damping = 0.0;                 // N s/m
};

// What the contacts of the last step took.
struct ContactCounters {
  std::int32_t pairs = 0;            // of bodies that were near
  std::int32_t visited = 0;          // points, or nodes of trees
  std::int32_t asleep = 0;           // nodes that were left out, as they cannot touch yet
  std::int32_t contacts = 0;         // points that touch; the report may have room for fewer
  std::int32_t levels_left_out = 0;  // at most, of any shell, as the budget was used up
  std::int32_t budget = 0;           // nodes that could be looked at; 0: no limit
  double deepest = 0.0;              // m
};

// A hand on a body.
struct PullState {
  enum class Kind : std::uint8_t { none, spring, force };
  Kind kind = Kind::none;
  std::int32_t body = 0, point = 0;
  Vector3d at = Vector3d::Zero();      // where the point is [m]
  Vector3d target = Vector3d::Zero();  // where the hand is
  Vector3d force = Vector3d::Zero();   // on the body [N]
  double wanted = 0.0;                 // stiffness of the spring that was asked for [N/m]
  double stiffness = 0.0;              // of the one that the step can bear; 0: the point is held
  double damping = 0.0;                // of its damper [N s/m]
};

// The hand that holds a body.
struct HoldState {
  std::int32_t body = -1;             // -1: there is none
  Vector3d grasp = Vector3d::Zero();  // where it holds it, in the body's frame [m]
  Pose hand;                          // the body's frame, if it were where the hand is
  HandForce felt;                     // force and torque on the hand [N], [N m]
  double most_force = 0.0;            // of the spring on the body [N]; 0: no spring
  DeviceState device;                 // that moves the hand
};

// What went wrong last in a step: no step throws or prints.
struct Fault {
  StepStatus status = StepStatus::ok;
  std::int32_t body = -1;
  std::int64_t step = -1;
};

// A command that was not obeyed.
struct RefusedCommand {
  std::int64_t number = 0;  // of all that were refused, from 1
  std::uint8_t kind = 0;    // index into Command
  std::int32_t body = -1;   // -1: of none
  Refusal reason = Refusal::none;
};

struct WorldState {
  static constexpr int slots = 8;
  static constexpr int status_bits = 11;
  static constexpr int kept_refusals = 8;
  static constexpr int most_contacts = 256;

  std::int64_t step = 0;
  double time = 0.0;  // s
  bool paused = false;
  double speed = 1.0;
  Vector3d gravity = Vector3d::Zero(), wind = Vector3d::Zero();
  std::vector<BodyState> bodies;
  std::array<PullState, slots> pulls;
  HoldState hold;
  BoundedList<ContactState, most_contacts> contacts;
  ContactCounters contact;
  StepStatus last_status = StepStatus::ok;
  std::array<std::int64_t, status_bits> status_counts{};  // steps in which each bit was set
  Fault fault;                                            // the last one
  std::int64_t refused_commands = 0;
  std::array<RefusedCommand, kept_refusals> refusals;  // the last ones, a ring by their numbers
};

}  // namespace pliant
