// SPDX-License-Identifier: MIT
// What can be asked of a world while it runs: one small struct each, of plain numbers, so that a
// command passes through a queue into the 1 kHz thread without allocation.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "pliant/base/pose.hpp"
#include "pliant/fem/model_input.hpp"

namespace pliant {

// Three numbers that Eigen's vectors become and come from.
struct Triple {
  double x = 0, y = 0, z = 0;

  Triple() = default;
  Triple(double a, double b, double c) : x(a), y(b), z(c) {}
  Triple(const Vector3d& v) : x(v[0]), y(v[1]), z(v[2]) {}
  operator Vector3d() const { return {x, y, z}; }
};

namespace command {

// A spring [N/m] from a point of a body's surface to a place [m], until its slot is released; of no
// stiffness: one that suits the body.
struct Pull {
  std::uint8_t slot = 0;  // one a hand
  std::int32_t body = 0, point = 0;
  Triple target = {};
  double stiffness = 0;
};
// A force [N] on the point until its slot is released.
struct Force {
  std::uint8_t slot = 0;
  std::int32_t body = 0, point = 0;
  Triple force = {};
};
struct Release {
  std::uint8_t slot = 0;
};
// Of the body's model: all bodies of the model change.
struct Material {
  std::int32_t body = 0, region = 0;
  RegionConstants constants = {};
};
struct ChangeDamping {
  std::int32_t body = 0;
  double alpha = 0, beta = 0;  // 1/s, s
};
// Only so many coefficients move.
struct Active {
  std::int32_t body = 0, count = 0;
};
// Small deformations without inertia, or all of it.
struct Linear {
  std::int32_t body = 0;
  bool on = false;
};
// A kinematic body, or the one that the handle moves, goes to a pose.
struct Move {
  std::int32_t body = 0;
  Triple position = {};
  std::array<double, 4> rotation = {1, 0, 0, 0};  // quaternion w x y z
};
// The handle goes to a pose, and the body that it moves with it.
struct Handle {
  Triple position = {};
  std::array<double, 4> rotation = {1, 0, 0, 0};
};
// Where the hand holds its body, in the body's frame [m]; what it feels does not jump.
struct Grasp {
  Triple point = {};
};
// The hand presses no more: it goes along with its body until it is told where to be. A body that it
// carries is held where it is.
struct LetGo {};
// How far the gripper is open, 0 to 1: where the fingers of the hand are.
struct Grip {
  double opening = 1;
};
// How the device at the handle moves it: metres of the scene to one of the device; and whether the
// device moves while the hand stands still, as with its first button.
struct Workspace {
  double scale = 1;
  bool indexing = false;
};
struct Control {
  std::int32_t body = 0, element = 0;
  AffineMotion motion{};
};
struct Gravity {
  Triple vector = {};  // m/s^2
};
struct Wind {
  Triple velocity = {};  // m/s
};
struct Pause {
  bool on = false;
};
// So many steps although it is paused.
struct Advance {
  std::int32_t steps = 0;
};
// Of the world's time to the wall's, 0 < factor <= 1.
struct Speed {
  double factor = 1;
};
// All bodies to rest, everything released.
struct Reset {};

}  // namespace command

using Command =
    std::variant<command::Reset, command::Pull, command::Force, command::Release, command::Material,
                 command::ChangeDamping, command::Active, command::Linear, command::Move,
                 command::Handle, command::Control, command::Gravity, command::Wind, command::Pause,
                 command::Advance, command::Speed, command::Workspace, command::Grasp,
                 command::Grip, command::LetGo>;
static_assert(std::is_trivially_copyable_v<Command>);

// Why a command was not obeyed.
enum class Refusal : std::uint8_t {
  none,
  no_body,
  no_point,
  no_slot,
  out_of_range,  // a number that is not finite, or makes no sense
  not_able,      // the body does not take this
  busy,          // the body is being stepped by its worker: try again
  no_handle,
  too_many,  // steps are owed already
};
// One sentence.
const char* words_of(Refusal refusal) noexcept;

}  // namespace pliant
