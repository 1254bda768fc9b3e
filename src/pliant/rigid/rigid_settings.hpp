// SPDX-License-Identifier: MIT
// What a user may set of a rigid body, and the keys for it.
#pragma once

#include <optional>
#include <string>

#include "pliant/base/types.hpp"

namespace pliant {

namespace table {
struct Value;
template <class T>
class Table;
}  // namespace table

enum class RigidMotion {
  fixed,      // stays where it is
  kinematic,  // goes where it is told
  free,       // flies and turns by what acts on it
};

// All but `motion` is for free bodies.
struct RigidSettings {
  static constexpr const char* engine = "rigid";
  static constexpr bool needs_volume = false;

  RigidMotion motion = RigidMotion::fixed;
  std::optional<double> density = {};  // kg/m^3; absent, and no mass: 1000
  std::optional<double> mass = {};     // kg
  double damping = 0.0;                // of the flight [1/s]
  double angular_damping = 0.0;        // of the turning [1/s]
  // At the start, in the world.
  Vector3d velocity = Vector3d::Zero();          // of the centre of mass [m/s]
  Vector3d angular_velocity = Vector3d::Zero();  // rad/s

  std::string words() const;
};

const table::Table<RigidSettings>& rigid_settings_table();
// Throws Error at the place of what is wrong.
RigidSettings read_rigid_settings(const table::Value& value);

}  // namespace pliant
