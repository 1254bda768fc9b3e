// SPDX-License-Identifier: MIT
// What a user may set of a body of the Green's-function engine, and the keys for it.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/types.hpp"

namespace pliant {

namespace table {
struct Value;
template <class T>
class Table;
}  // namespace table

// What a control element does.
enum class ControlState {
  held,    // stays as it is at the start
  driven,  // goes where it is told
  free,    // moves by an affine motion of its own, by what acts on it
};

// An affine motion of a control element from rest, u = T + (R S - 1) (X - o), in the body's frame; o
// is its centre.
struct ControlStart {
  Vector3d translation = Vector3d::Zero();                       // T [m]
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // R
  Vector3d scale = Vector3d::Ones();                             // S = diag, along the body's axes
};

struct ControlSettings {
  std::string name;
  ControlState state = ControlState::driven;
  ControlStart start;  // of an element that is held or driven
};

// Where small deformations end, [Klimenko03] 2.3, and what happens there.
struct Linearity {
  enum class Beyond {
    blocked,  // the body stays as it was
    warned,   // it goes on, and the status says so
    warped,   // parts that turn are turned back before small strains are taken (warped_engine.hpp)
  };
  Beyond beyond = Beyond::warned;
  double strain = 0.1;    // largest principal one
  double stretch = 0.25;  // of a control element's centre, over the body's size
  double angle = 30;      // of a control element against the average rotation [degrees]
};

// What a running body needs.
struct GreenSettings {
  Linearity linearity;
  std::vector<ControlSettings> controls;
};

// What a user says of a body; the control elements are with the body's other sets of nodes.
struct GreenSpec {
  static constexpr const char *engine = "green", *warped_engine = "green_warped";
  static constexpr bool needs_volume = true, takes_controls = true, takes_loads = true;
  static constexpr int most_loaded = 200;  // nodes that the scene may name as accessible

  int touch = 32;  // points of the surface whose Green's functions answer forces
  Linearity linearity;

  bool warped() const { return linearity.beyond == Linearity::Beyond::warped; }
  std::string words() const;
};

const table::Table<GreenSpec>& green_spec_table();
const table::Table<ControlSettings>& control_settings_table();
const table::Table<GreenSettings>& green_settings_table();
// Throws Error at the place of what is wrong.
GreenSettings read_green_settings(const table::Value& value);

}  // namespace pliant
