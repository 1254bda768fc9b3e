// SPDX-License-Identifier: MIT
// What a user says of a world beside its bodies' shapes, and what an asset carries of it: wind,
// hand, camera, colours, in SI units. The defaults here are those of the scene file. Each has a
// Table of its keys, with which scenes are read and assets read and written.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "pliant/asset/device_specs.hpp"
#include "pliant/base/colour.hpp"
#include "pliant/base/pose.hpp"
#include "pliant/haptics/hand_motion.hpp"
#include "pliant/haptics/operator_hand.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

// Pressure drag/2 rho |v_n| v_n on every triangle of a surface, rho = 1.2 kg/m^3 of air; the wind
// blows with velocity (1 + gust sin(2 pi t / gust_period)).
struct WindSpec {
  Vector3d velocity = Vector3d::Zero();  // m/s
  double drag = 1;
  double gust = 0;
  double gust_period = 2;  // s
};

// Another body of the same hand, pulled to its place there: a finger.
struct FingerSpec {
  std::string body;  // free
  Vector3d closing =
      Vector3d::Zero();  // where it goes until the gripper is closed, in the scene [m]
};

// The hand that holds a body, and the spring between both (haptics/). What is absent follows from the
// sizes of the body and of the contacts that it may have.
struct HandleSpec {
  enum class Coupling {
    none,  // the body goes where the hand goes
    quasistatic,
    coupled,  // the same, solved together with the bodies that it touches
    dynamic,
  };
  enum class Saturation { exponential, cubic };

  std::string body;               // that it moves: rigid and kinematic
  std::optional<Vector3d> grasp;  // in the body's frame [m]
  Coupling coupling = Coupling::quasistatic;
  std::optional<double> stiffness, torque_stiffness;  // N/m, N m
  std::optional<double> most_force, most_torque;      // of the spring on the body [N], [N m]
  Saturation saturation = Saturation::exponential;
  double damping = 0.5;                               // static damping
  std::optional<double> speed;                        // of the body at most [m/s]
  double turning = 6.283185307179586;                 // rad/s
  std::optional<double> device_force, device_torque;  // that the hand is given at most [N], [N m]
  std::vector<FingerSpec> fingers;
};

// Where the handle's motion comes from.
struct NoDevice {};
struct ViewerDevice {};  // the pointer in the browser
// A motion by a rule, whatever it feels.
struct ScriptDevice {
  HandRule motion;
};
// A simulated hand that means to follow a rule, and feels.
struct OperatorDeviceSpec {
  HandRule motion;
  OperatorSpec hand;
  bool guard = true;
};
using DeviceSpec = std::variant<NoDevice, ViewerDevice, ScriptDevice, OperatorDeviceSpec,
                                ReplayDevice, HaplyDevice, SpaceMouseDevice, NetworkDevice>;

// How it is looked at.
struct CameraSpec {
  std::optional<Vector3d> position, target;  // absent: what shows all bodies
  Vector3d up = Vector3d::UnitY();
  double field_of_view = 40;  // vertical, degrees
};
struct ColourSpec {
  Colour background{0xf4, 0xf5, 0xf7};
  Colour force{0xd1, 0x49, 0x1f};
  Colour contact{0xc2, 0x18, 0x5b};
  Colour fixed{0x1f, 0x6f, 0xb5};
};

const table::Table<Pose>& pose_table();
const table::Table<WindSpec>& wind_table();
const table::Table<HandleSpec>& handle_table();
const table::Table<DeviceSpec>& device_table();
const table::Table<CameraSpec>& camera_table();
const table::Table<ColourSpec>& colour_table();

}  // namespace pliant
